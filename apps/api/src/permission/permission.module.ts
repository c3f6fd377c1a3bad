import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { ProjectModule } from '../project/project.module';
import { PermissionsController } from './permissions.controller';
import { PermissionsService } from './permissions.service';
import { ProjectRulesController } from './project-rules.controller';
import { ProjectRulesService } from './project-rules.service';
import { RulesService } from './rules.service';

@Module({
  imports: [AccessModule, AuditModule, ProjectModule],
  controllers: [PermissionsController, ProjectRulesController],
  providers: [PermissionsService, ProjectRulesService, RulesService],
  exports: [PermissionsService],
})
export class PermissionModule {}
