import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { WorkerModule } from '../worker/worker.module';
import { GitAccountsController } from './git-accounts.controller';
import { GitAccountsService } from './git-accounts.service';
import { GitBranchesController } from './git-branches.controller';
import { GitBranchesService } from './git-branches.service';
import { GitHostKeysController } from './git-host-keys.controller';
import { GitHostKeysService } from './git-host-keys.service';

@Module({
  imports: [AuditModule, WorkerModule],
  controllers: [GitAccountsController, GitBranchesController, GitHostKeysController],
  providers: [GitAccountsService, GitBranchesService, GitHostKeysService],
  exports: [GitBranchesService],
})
export class GitAccountModule {}
