import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { ProjectModule } from '../project/project.module';
import { TokenClaimsService } from './token-claims.service';
import { TokensController } from './tokens.controller';
import { TokensService } from './tokens.service';

@Module({
  imports: [AccessModule, AuditModule, ProjectModule],
  controllers: [TokensController],
  providers: [TokenClaimsService, TokensService],
})
export class TokenModule {}
