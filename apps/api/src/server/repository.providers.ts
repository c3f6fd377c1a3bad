import type { Provider } from '@nestjs/common';
import * as database from '@chirality/database';
import type { Services } from './services';

/** Every repository, over the one database and the one event log. */
export function repositoryProviders({ database: connections, eventLog, events }: Services): Provider[] {
  const plain = [
    database.AuditRepository,
    database.BudgetRepository,
    database.BudgetSpendingRepository,
    database.EgressLogRepository,
    database.IdentityRepository,
    database.InvitationRepository,
    database.ModelKeyRepository,
    database.ParkedProcessRepository,
    database.PasswordResetRepository,
    database.PresenceRepository,
    database.PersonaRepository,
    database.PersonaTextRepository,
    database.PriceRepository,
    database.ProjectEgressRepository,
    database.ProjectPersonaRepository,
    database.ProjectVariableRepository,
    database.ProjectRepository,
    database.ProjectRuleRepository,
    database.RefreshFamilyRepository,
    database.SessionRuleRepository,
    database.SetupScriptRepository,
    database.ProjectFetchRepository,
    database.TeamRepository,
    database.ToolCallRepository,
    database.TranscriptPageRepository,
    database.UserRepository,
    database.WorkerRepository,
  ];
  const logging = [
    database.PermissionRepository,
    database.SessionRepository,
    database.ToolOutcomeRepository,
    database.TurnRepository,
  ];
  return [
    { provide: database.EventRepository, useValue: events },
    ...plain.map((repository) => ({ provide: repository, useValue: new repository(connections) })),
    ...logging.map((repository) => ({ provide: repository, useValue: new repository(connections, eventLog) })),
  ];
}
