import 'reflect-metadata';
import { Module, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { GATEWAY_METADATA } from '@nestjs/websockets/constants';
import { CONFIG, type Config } from '@chirality/platform';
import { basePathOf } from '../core/address/base-path';
import { routeTable } from '../core/http/route-table';
import { Installation } from '../instance/installation';
import { InstanceModule } from '../instance/instance.module';
import { WorkerModule } from '../worker/worker.module';
import { featuresOf } from './features-of';
import { HandshakeService } from './handshake.service';
import { OpenApi, ServedFeatures } from './open-api';
import { openApiDocument } from './openapi';
import { ReferenceController } from './reference.controller';

@Module({
  imports: [DiscoveryModule, InstanceModule, WorkerModule],
  controllers: [ReferenceController],
  providers: [
    {
      provide: OpenApi,
      inject: [DiscoveryService, Installation, CONFIG],
      useFactory: (discovery: DiscoveryService, { version }: Installation, config: Config) =>
        new OpenApi(openApiDocument(servedRoutes(discovery), version, basePathOf(config))),
    },
    {
      provide: ServedFeatures,
      inject: [DiscoveryService, CONFIG],
      useFactory: (discovery: DiscoveryService, { harnessRoutes }: Config) =>
        new ServedFeatures(
          featuresOf(
            servedRoutes(discovery).filter(({ path }) => harnessRoutes || !path.startsWith('/api/harness/')),
            hasGateway(discovery),
          ),
        ),
    },
    HandshakeService,
  ],
  exports: [HandshakeService],
})
export class ReferenceModule {}

function servedRoutes(discovery: DiscoveryService) {
  return routeTable(discovery.getControllers().map(({ metatype }) => metatype as Type));
}

function hasGateway(discovery: DiscoveryService): boolean {
  return discovery
    .getProviders()
    .some(({ metatype }) => typeof metatype === 'function' && Reflect.hasMetadata(GATEWAY_METADATA, metatype));
}
