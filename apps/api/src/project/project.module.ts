import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { GitAccountModule } from '../git-account/git-account.module';
import { TurnModule } from '../turn/turn.module';
import { PolicySignals } from './policy-signals';
import { ProjectArchiveService } from './project-archive.service';
import { ProjectEgressController } from './project-egress.controller';
import { ProjectEgressService } from './project-egress.service';
import { ProjectMembersController } from './project-members.controller';
import { ProjectMembersService } from './project-members.service';
import { ProjectSettingsService } from './project-settings.service';
import { ProjectUploadService } from './project-upload.service';
import { ProjectVariablesController } from './project-variables.controller';
import { ProjectVariablesService } from './project-variables.service';
import { ProjectsController } from './projects.controller';
import { ProjectsService } from './projects.service';
import { SetupScriptController } from './setup-script.controller';
import { SetupScriptService } from './setup-script.service';

@Module({
  imports: [AccessModule, AuditModule, GitAccountModule, TurnModule],
  controllers: [
    ProjectEgressController,
    ProjectMembersController,
    ProjectVariablesController,
    ProjectsController,
    SetupScriptController,
  ],
  providers: [
    PolicySignals,
    ProjectArchiveService,
    ProjectEgressService,
    ProjectMembersService,
    ProjectSettingsService,
    ProjectUploadService,
    ProjectVariablesService,
    ProjectsService,
    SetupScriptService,
  ],
  exports: [PolicySignals, ProjectArchiveService, ProjectsService],
})
export class ProjectModule {}
