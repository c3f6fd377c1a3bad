import { Module, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { routeTable } from '../core/http/route-table';
import { Installation } from '../instance/installation';
import { InstanceModule } from '../instance/instance.module';
import { OpenApi } from './open-api';
import { openApiDocument } from './openapi';
import { ReferenceController } from './reference.controller';

@Module({
  imports: [DiscoveryModule, InstanceModule],
  controllers: [ReferenceController],
  providers: [
    {
      provide: OpenApi,
      inject: [DiscoveryService, Installation],
      useFactory: (discovery: DiscoveryService, { version }: Installation) => {
        const controllers = discovery.getControllers().map(({ metatype }) => metatype as Type);
        return new OpenApi(openApiDocument(routeTable(controllers), version));
      },
    },
  ],
})
export class ReferenceModule {}
