import { join } from 'node:path';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { HealthRegistry, SecretBox } from '@chirality/platform';
import { accessProviders } from '../access/access.providers';
import { AuditTrail } from '../audit/audit-trail';
import { AuditService } from '../audit/audit.service';
import { DeniedActs } from '../audit/denied-acts';
import { authProviders } from '../auth/auth.providers';
import { BudgetGate } from '../budget/budget-gate';
import { BudgetsService } from '../budget/budgets.service';
import { routeTable } from '../core/http/route-table';
import { createMailer } from '../core/mailer';
import { BLOBS, CONFIG, DATABASE, LOG, MAILER, MESSAGING } from '../core/tokens';
import { EventsService } from '../event/events.service';
import { FeedRegistry } from '../event/feed-registry';
import { OpenStreams } from '../event/open-streams';
import { TranscriptService } from '../event/transcript.service';
import { FilesService } from '../file/files.service';
import { ProjectFilesService } from '../file/project-files.service';
import { FoundingTeam } from '../instance/founding-team';
import { Installation } from '../instance/installation';
import { InstanceService } from '../instance/instance.service';
import { KeysService } from '../key/keys.service';
import { PayingAccount } from '../key/paying-account';
import { liveProviders } from '../live/live.providers';
import { DevicesService } from '../me/devices.service';
import { ProfileService } from '../me/profile.service';
import { OptionChain } from '../options/option-chain.service';
import { PersonaCatalog } from '../options/persona-catalog';
import { PersonaResolver } from '../options/persona-resolver';
import { ProjectPersonas } from '../options/project-personas';
import { SessionPersonas } from '../options/session-personas';
import { PermissionsService } from '../permission/permissions.service';
import { ProjectRulesService } from '../permission/project-rules.service';
import { RulesService } from '../permission/rules.service';
import { PersonasService } from '../persona/personas.service';
import { TeamPersonasService } from '../persona/team-personas.service';
import { PolicySignals } from '../project/policy-signals';
import { ProjectArchiveService } from '../project/project-archive.service';
import { ProjectEgressService } from '../project/project-egress.service';
import { ProjectSettingsService } from '../project/project-settings.service';
import { ProjectUploadService } from '../project/project-upload.service';
import { ProjectVariablesService } from '../project/project-variables.service';
import { ProjectsService } from '../project/projects.service';
import { SetupScriptService } from '../project/setup-script.service';
import { PromptsService } from '../prompt/prompts.service';
import { OpenApi } from '../reference/open-api';
import { openApiDocument } from '../reference/openapi';
import { AheadAsks } from '../session/ahead-asks';
import { BootService } from '../session/boot.service';
import { SessionsService } from '../session/sessions.service';
import { InvitationJoiningService } from '../team/invitation-joining.service';
import { InvitationsService } from '../team/invitations.service';
import { MemberResetService } from '../team/member-reset.service';
import { MembersService } from '../team/members.service';
import { TeamsService } from '../team/teams.service';
import { ToolOutcomesService } from '../turn/tool-outcomes.service';
import { ToolResultsService } from '../turn/tool-results.service';
import { TurnAcceptance } from '../turn/turn-acceptance';
import { TurnActsService } from '../turn/turn-acts.service';
import { TurnFilesService } from '../turn/turn-files.service';
import { TurnWatch } from '../turn/turn-watch';
import { TurnsService } from '../turn/turns.service';
import { PricesService } from '../usage/prices.service';
import { UsageService } from '../usage/usage.service';
import { LiveWorkers } from '../worker/live-workers';
import { WorkersService } from '../worker/workers.service';
import { CONTROLLERS } from './controllers';
import { repositoryProviders } from './repository.providers';
import type { Services } from './services';

const NOUNS: Provider[] = [
  AuditService,
  AuditTrail,
  BootService,
  BudgetGate,
  BudgetsService,
  DeniedActs,
  DevicesService,
  EventsService,
  FilesService,
  FoundingTeam,
  InstanceService,
  InvitationJoiningService,
  InvitationsService,
  KeysService,
  LiveWorkers,
  MemberResetService,
  MembersService,
  AheadAsks,
  OptionChain,
  OpenStreams,
  PayingAccount,
  PermissionsService,
  PersonaResolver,
  PersonasService,
  PricesService,
  ProfileService,
  ProjectArchiveService,
  ProjectRulesService,
  ProjectSettingsService,
  PolicySignals,
  ProjectEgressService,
  ProjectFilesService,
  ProjectPersonas,
  ProjectVariablesService,
  SetupScriptService,
  ProjectUploadService,
  ProjectsService,
  PromptsService,
  RulesService,
  SessionPersonas,
  SessionsService,
  TeamPersonasService,
  TeamsService,
  TranscriptService,
  TurnAcceptance,
  TurnActsService,
  ToolOutcomesService,
  ToolResultsService,
  TurnFilesService,
  TurnWatch,
  TurnsService,
  UsageService,
  WorkersService,
];

function processProviders({ config, log, blobs, database, messaging, health, feeds }: Services): Provider[] {
  const installation = new Installation();
  return [
    { provide: CONFIG, useValue: config },
    { provide: LOG, useValue: log },
    { provide: BLOBS, useValue: blobs },
    { provide: DATABASE, useValue: database },
    { provide: MESSAGING, useValue: messaging },
    { provide: MAILER, useValue: createMailer(config, log) },
    { provide: FeedRegistry, useValue: feeds },
    { provide: HealthRegistry, useValue: health },
    { provide: SecretBox, useValue: new SecretBox(config.secretKey, config.previousSecretKeys) },
    { provide: Installation, useValue: installation },
    { provide: PersonaCatalog, useValue: new PersonaCatalog(join(installation.instructions, 'agents')) },
    { provide: OpenApi, useValue: new OpenApi(openApiDocument(routeTable(CONTROLLERS), installation.version)) },
  ];
}

/** The whole api as one module: its parts know each other by their classes, and nothing else does. */
@Module({})
export class ApiModule {
  static forRoot(services: Services, options: { accessTokenMs?: number } = {}): DynamicModule {
    return {
      module: ApiModule,
      controllers: CONTROLLERS,
      providers: [
        ...processProviders(services),
        ...repositoryProviders(services),
        ...accessProviders(services, options.accessTokenMs),
        ...authProviders,
        ...NOUNS,
        ...liveProviders,
      ],
    };
  }
}
