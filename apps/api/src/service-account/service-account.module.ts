import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { KeyModule } from '../key/key.module';
import { TeamModule } from '../team/team.module';
import { ServiceAccountsController } from './service-accounts.controller';
import { ServiceAccountsService } from './service-accounts.service';

@Module({
  imports: [AccessModule, AuditModule, KeyModule, TeamModule],
  controllers: [ServiceAccountsController],
  providers: [ServiceAccountsService],
})
export class ServiceAccountModule {}
