export { createDatabase, type Database, type DatabaseOptions, type Tx } from './connection/database';
export { DatabasePulse } from './connection/database-pulse';
export { isDatabaseUnavailable } from './connection/database-error';
export { untilAnswered } from './connection/until-answered';
export { migrateDatabase } from './migrate/migrate-database';
export { DatabaseNewerError, MigrationEditedError, MigrationFailedError } from './migrate/migration-errors';
export { EventLogClosedError, type AppendItem, type AppendResult, type Transition } from './event/append-item';
export { EventLogWriter, PAYLOAD_LIMIT_BYTES, type EventLogWriterOptions } from './event/event-log-writer';
export { EventRepository, type EventRange } from './event/event.repository';
export { TranscriptPageRepository, type PageBudget } from './event/transcript-page.repository';
export { type AcceptOutcome, type TurnToAccept } from './turn/accept-turn';
export { type ClaimedTurn } from './turn/claim-turn';
export { applyTransition, type TransitionRequest, type TurnChanges } from './turn/apply-transition';
export { settleTurn, type FinalCause, type Settlement } from './turn/settle-turn';
export { type InterruptOutcome, type InterruptRequest } from './turn/interrupt-turn';
export { TurnRepository, type TurnSignals } from './turn/turn.repository';
export {
  closePermissions,
  insertPermission,
  moveDeadlines,
  type NewPermission,
  type PermissionEnd,
} from './permission/open-permission';
export {
  PermissionRepository,
  type AnsweredPermission,
  type AnswerOutcome,
  type PermissionAnswer,
} from './permission/permission.repository';
export { PolicyRepository } from './permission/policy.repository';
export { ProjectRuleRepository, type NewProjectRule } from './permission/project-rule.repository';
export { SessionRuleRepository } from './permission/session-rule.repository';
export { ToolCallRepository, type LedgerAttempt, type NewToolCall, type ToolCall } from './ledger/tool-call.repository';
export { ToolOutcomeRepository, type ToolVerdictByPerson } from './ledger/tool-outcome.repository';
export { UserRepository, type NewUser, type UserAccount } from './user/user.repository';
export { IdentityRepository, type Identity } from './user/identity.repository';
export { RefreshFamilyRepository, type RotateOutcome } from './user/refresh-family.repository';
export { PasswordResetRepository } from './user/password-reset.repository';
export { TeamRepository, type MembershipChange } from './team/team.repository';
export { InvitationRepository, type AcceptInvitationOutcome, type OpenInvitation } from './team/invitation.repository';
export { OTHER_SECRET_KEY, SecretKeyCheck, type SecretKeyVerdict } from './key/secret-key-check';
export { ModelKeyRepository, type NewModelKey, type PayingKey } from './key/model-key.repository';
export { PersonaRepository, type SaveOutcome, type StoredPersona } from './persona/persona.repository';
export { PersonaTextRepository, personaTextHash } from './persona/persona-text.repository';
export {
  ProjectPersonaRepository,
  type KeyedApproval,
  type ReadPersonaFile,
  type ScannedPersonas,
} from './persona/project-persona.repository';
export { ProjectRepository, type ProjectChanges, type ProjectRecord } from './project/project.repository';
export { EGRESS_LOG_DAYS, EgressLogRepository, type EgressLogCount } from './project/egress-log.repository';
export { ProjectVariableRepository, type SealedVariable } from './project/project-variable.repository';
export { ProjectFetchRepository, type ClaimedFetch, type FetchRef } from './project/project-fetch.repository';
export { SetupScriptRepository } from './project/setup-script.repository';
export { ProjectEgressRepository } from './project/project-egress.repository';
export {
  SessionRepository,
  type NewSession,
  type SessionChanges,
  type SessionFilter,
} from './session/session.repository';
export { SessionStateRepository } from './session/session-state.repository';
export { StatePointerRepository, type StatePointerRow } from './session/state-pointer.repository';
export { type SessionToRun } from './session/session-to-run';
export {
  ParkedProcessRepository,
  type ForbiddenReason,
  type ParkedProcessRow,
} from './process/parked-process.repository';
export { type BudgetNotice, type BudgetState, type Spender } from './budget/budget-window';
export { BudgetRepository, type NewBudget } from './budget/budget.repository';
export { BudgetSpendingRepository, type ReserveOutcome } from './budget/budget-spending.repository';
export { UsageRepository, type UsageEntry } from './usage/usage.repository';
export { reportUsageSeries } from './usage/usage-series';
export { isTimezone, reportUsage, type UsageReportRequest } from './usage/usage-report';
export { PriceRepository } from './price/price.repository';
export { AuditRepository, type AuditQuery, type NewAuditEntry } from './audit/audit.repository';
export { PresenceRepository, type PresenceRow } from './presence/presence.repository';
export { openLeaseConnection, type LeaseConnection } from './worker/lease-connection';
export { LEASE_TTL_MS, WorkerRepository, type WorkerLife, type WorkerRegistration } from './worker/worker.repository';
export { WorkerProcessRepository, type RegisteredProcess } from './worker/worker-process.repository';
export { Reconciler, RECONCILE_EVERY_MS, type ReconcileReport, type ReconcilerOptions } from './reconcile/reconciler';
