import { Module } from '@nestjs/common';
import { AuditRepository, PurgeRepository } from '@chirality/database';
import { BLOBS, LOG, type BlobStore, type Logger } from '@chirality/platform';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { rareWarning } from '../core/rare-log';
import { ProjectModule } from '../project/project.module';
import { TurnModule } from '../turn/turn.module';
import { DeletionCleaner } from './deletion-cleaner';
import { DeletionsController } from './deletions.controller';
import { DeletionsService } from './deletions.service';

@Module({
  imports: [AccessModule, AuditModule, ProjectModule, TurnModule],
  controllers: [DeletionsController],
  providers: [
    {
      provide: DeletionCleaner,
      inject: [PurgeRepository, BLOBS, AuditRepository, LOG],
      useFactory: (purges: PurgeRepository, blobs: BlobStore, audit: AuditRepository, log: Logger) =>
        new DeletionCleaner({ purges, blobs, audit, onError: rareWarning(log, 'deletions.not_cleaned') }),
    },
    DeletionsService,
  ],
})
export class DeletionModule {}
