import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { BillingAccount } from './billing-account';

@Module({
  imports: [AuditModule],
  controllers: [KeysController],
  providers: [KeysService, BillingAccount],
  exports: [BillingAccount, KeysService],
})
export class KeyModule {}
