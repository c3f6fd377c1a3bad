import type { DynamicModule } from '@nestjs/common';
import type { BlobStore } from './blob/blob-store';
import type { Config } from './config/config';
import { HealthRegistry } from './health/health-registry';
import type { Logger } from './log/logger';
import { SecretBox } from './secret/secret-box';

/** Where a Nest application finds what has a type and no class. */
export const CONFIG = Symbol('config');
export const LOG = Symbol('log');
export const BLOBS = Symbol('blobs');

type Parts = { config: Config; log: Logger; blobs: BlobStore; health: HealthRegistry };

/** What every process has one of, for a Nest application. Global: each feature may need any of it. */
export class PlatformModule {
  static forRoot({ config, log, blobs, health }: Parts): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOG, useValue: log },
        { provide: BLOBS, useValue: blobs },
        { provide: HealthRegistry, useValue: health },
        { provide: SecretBox, useValue: new SecretBox(config.secretKey, config.previousSecretKeys) },
      ],
      exports: [CONFIG, LOG, BLOBS, HealthRegistry, SecretBox],
    };
  }
}
