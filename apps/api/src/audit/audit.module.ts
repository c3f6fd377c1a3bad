import { Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail';
import { AuditController } from './audit.controller';
import { AuditService } from './audit.service';
import { DeniedActs } from './denied-acts';

@Module({
  controllers: [AuditController],
  providers: [AuditService, AuditTrail, DeniedActs],
  exports: [AuditTrail, DeniedActs],
})
export class AuditModule {}
