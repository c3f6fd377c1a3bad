import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { ProjectModule } from '../project/project.module';
import { DeviceCodesController } from './device-codes.controller';
import { DeviceCodesService } from './device-codes.service';
import { TokenClaimsService } from './token-claims.service';
import { TokensController } from './tokens.controller';
import { TokensService } from './tokens.service';

@Module({
  imports: [AccessModule, AuditModule, AuthModule, ProjectModule],
  controllers: [DeviceCodesController, TokensController],
  providers: [DeviceCodesService, TokenClaimsService, TokensService],
})
export class TokenModule {}
