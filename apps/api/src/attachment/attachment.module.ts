import { Module } from '@nestjs/common';
import { AttachmentRepository } from '@chirality/database';
import { BLOBS, LOG, type BlobStore, type Logger } from '@chirality/platform';
import { AccessModule } from '../access/access.module';
import { rareWarning } from '../core/rare-log';
import { AttachmentCleaner } from './attachment-cleaner';
import { AttachmentsController } from './attachments.controller';
import { AttachmentsService } from './attachments.service';

@Module({
  imports: [AccessModule],
  controllers: [AttachmentsController],
  providers: [
    {
      provide: AttachmentCleaner,
      inject: [AttachmentRepository, BLOBS, LOG],
      useFactory: (attachments: AttachmentRepository, blobs: BlobStore, log: Logger) =>
        new AttachmentCleaner(attachments, blobs, rareWarning(log, 'attachments.not_cleaned')),
    },
    AttachmentsService,
  ],
  exports: [AttachmentsService],
})
export class AttachmentModule {}
