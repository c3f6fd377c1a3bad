import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { KeysController } from './keys.controller';
import { KeysService } from './keys.service';
import { PayingAccount } from './paying-account';

@Module({
  imports: [AuditModule],
  controllers: [KeysController],
  providers: [KeysService, PayingAccount],
  exports: [PayingAccount],
})
export class KeyModule {}
