import type { Type } from '@nestjs/common';
import { AuditController } from '../audit/audit.controller';
import { AuthController } from '../auth/auth.controller';
import { BudgetsController } from '../budget/budgets.controller';
import { EventsController } from '../event/events.controller';
import { FilesController } from '../file/files.controller';
import { ProjectFilesController } from '../file/project-files.controller';
import { HealthController } from '../health/health.controller';
import { InstanceController } from '../instance/instance.controller';
import { KeysController } from '../key/keys.controller';
import { MeController } from '../me/me.controller';
import { PermissionsController } from '../permission/permissions.controller';
import { ProjectRulesController } from '../permission/project-rules.controller';
import { PersonasController } from '../persona/personas.controller';
import { TeamPersonasController } from '../persona/team-personas.controller';
import { ProjectEgressController } from '../project/project-egress.controller';
import { ProjectVariablesController } from '../project/project-variables.controller';
import { ProjectsController } from '../project/projects.controller';
import { SetupScriptController } from '../project/setup-script.controller';
import { PromptsController } from '../prompt/prompts.controller';
import { ReferenceController } from '../reference/reference.controller';
import { SessionsController } from '../session/sessions.controller';
import { InvitationsController } from '../team/invitations.controller';
import { MembersController } from '../team/members.controller';
import { TeamsController } from '../team/teams.controller';
import { TurnsController } from '../turn/turns.controller';
import { ModelsController } from '../usage/models.controller';
import { UsageController } from '../usage/usage.controller';
import { WorkersController } from '../worker/workers.controller';

/** Everything that answers HTTP. The server, the OpenAPI file and the access matrix of the tests are made from this list. */
export const CONTROLLERS: Type[] = [
  AuditController,
  AuthController,
  BudgetsController,
  EventsController,
  FilesController,
  HealthController,
  InstanceController,
  InvitationsController,
  KeysController,
  MeController,
  MembersController,
  PermissionsController,
  PersonasController,
  ProjectFilesController,
  ProjectRulesController,
  ProjectEgressController,
  ProjectVariablesController,
  ProjectsController,
  PromptsController,
  ReferenceController,
  SessionsController,
  TeamPersonasController,
  SetupScriptController,
  TeamsController,
  TurnsController,
  ModelsController,
  UsageController,
  WorkersController,
];
