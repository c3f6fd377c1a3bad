export { DatabaseModule } from './database.module';
export { DATABASE } from './connection/repository-providers';
export { createDatabase, type Database, type Tx } from './connection/database';
export { DatabasePulse } from './connection/database-pulse';
export { isDatabaseUnavailable } from './connection/database-error';
export { untilAnswered } from './connection/until-answered';
export { migrateDatabase } from './migrate/migrate-database';
export { EventLogClosedError, type AppendItem, type AppendResult } from './event/append-item';
export { EventLogWriter } from './event/event-log-writer';
export { CustomEventRepository } from './event/custom-event.repository';
export { EventRepository } from './event/event.repository';
export { TranscriptPageRepository, type PageBudget } from './event/transcript-page.repository';
export { CommentRepository, type UnsentComment } from './comment/comment.repository';
export { AttachmentRepository } from './attachment/attachment.repository';
export { QueueItemRepository, type DueQueueItem, type QueueItemChange } from './queue-item/queue-item.repository';
export { type StoredQueueItem } from './queue-item/queue-item-row';
export { TurnAcceptanceRepository, type AcceptOutcome } from './turn/turn-acceptance.repository';
export { TurnClaimRepository } from './turn/turn-claim.repository';
export { TurnInterruptRepository } from './turn/turn-interrupt.repository';
export { TurnSettlementRepository } from './turn/turn-settlement.repository';
export { ForbiddenTurnRepository } from './turn/forbidden-turn.repository';
export { type ClaimedTurn } from './turn/claim-turn';
export { applyTransition } from './turn/apply-transition';
export { TurnRepository } from './turn/turn.repository';
export {
  closePermissions,
  insertPermission,
  moveDeadlines,
  type NewPermission,
  type PermissionEnd,
} from './permission/open-permission';
export { PermissionRepository, type AnsweredPermission } from './permission/permission.repository';
export { PolicyRepository } from './permission/policy.repository';
export { ProjectRuleRepository } from './permission/project-rule.repository';
export { SessionRuleRepository } from './permission/session-rule.repository';
export { ToolCallRepository } from './ledger/tool-call.repository';
export { ToolOutcomeRepository } from './ledger/tool-outcome.repository';
export { McpCallRepository, turnKeyOf, type McpCall } from './mcp/mcp-call.repository';
export {
  MAX_MCP_SUBSCRIPTIONS,
  McpSessionRepository,
  type McpSession,
  type McpSubscription,
} from './mcp/mcp-session.repository';
export { ApiTokenRepository, type KnownToken } from './token/api-token.repository';
export { DEVICE_CODE_SECONDS, DeviceCodeRepository } from './token/device-code.repository';
export { ServiceAccountRepository } from './token/service-account.repository';
export {
  ScheduleRepository,
  type EndedRun,
  type ScheduleChanges,
  type StoredSchedule,
} from './schedule/schedule.repository';
export { UserRepository } from './user/user.repository';
export { IdentityRepository } from './user/identity.repository';
export { RefreshFamilyRepository } from './user/refresh-family.repository';
export { PasswordResetRepository } from './user/password-reset.repository';
export { TeamRepository, type MembershipChange } from './team/team.repository';
export { InvitationRepository, type AcceptInvitationOutcome } from './team/invitation.repository';
export { OTHER_SECRET_KEY, SecretKeyCheck } from './key/secret-key-check';
export { ModelKeyRepository } from './key/model-key.repository';
export { GitAccountRepository, type SealedGitAccount } from './git-account/git-account.repository';
export { GitWebhookRepository, type GitWebhookRecord } from './pull-request/git-webhook.repository';
export { GitHostKeyRepository, type PinnedHostKey } from './git-account/git-host-key.repository';
export { PersonaRepository, type StoredPersona } from './persona/persona.repository';
export { PersonaTextRepository, personaTextHash } from './persona/persona-text.repository';
export {
  ProjectPersonaRepository,
  type KeyedApproval,
  type ReadPersonaFile,
  type ScannedPersonas,
} from './persona/project-persona.repository';
export { DeletionRepository } from './deletion/deletion.repository';
export { PurgeRepository, type Purged } from './deletion/purge.repository';
export { UnpushedWorkRepository } from './session/unpushed-work.repository';
export { ProjectRepository, type ProjectChanges, type ProjectRecord } from './project/project.repository';
export { EgressLogRepository, type EgressLogCount } from './project/egress-log.repository';
export { ProjectMemberRepository } from './project/project-member.repository';
export { ProjectVariableRepository } from './project/project-variable.repository';
export { ProjectFetchRepository, type ClaimedFetch, type FetchRef } from './project/project-fetch.repository';
export { ProjectRefreshRepository, type ClaimedRefresh } from './project/project-refresh.repository';
export { PullRequestRepository, type PullRequestAttempt } from './pull-request/pull-request.repository';
export { SetupScriptRepository } from './project/setup-script.repository';
export { ProjectEgressRepository } from './project/project-egress.repository';
export { SearchBacklogRepository } from './search/search-backlog.repository';
export { searchVectorSql } from './search/search-rows.sql';
export { SearchRepository } from './search/search.repository';
export { SessionRepository, type OptionChange, type SessionChanges } from './session/session.repository';
export { SessionPushRepository, type PushRecord } from './session/session-push.repository';
export { SessionStateRepository } from './session/session-state.repository';
export { StatePointerRepository } from './session/state-pointer.repository';
export { SharedWorkspacePointerRepository } from './shared-workspace/shared-workspace-pointer.repository';
export { SharedWorkspaceRepository, type WorkspaceUse } from './shared-workspace/shared-workspace.repository';
export { type SessionToRun } from './session/session-to-run';
export { SessionToRunRepository } from './session/session-to-run.repository';
export { ParkedProcessRepository, type ForbiddenReason } from './process/parked-process.repository';
export { type BudgetNotice } from './budget/budget-window';
export { BudgetRepository } from './budget/budget.repository';
export { BudgetSpendingRepository } from './budget/budget-spending.repository';
export { UsageRepository, type UsageEntry } from './usage/usage.repository';
export { reportUsageSeries } from './usage/usage-series';
export { isTimezone, reportUsage, type UsageReportRequest } from './usage/usage-report';
export { PriceRepository } from './price/price.repository';
export { AuditRepository, type AuditQuery, type NewAuditEntry } from './audit/audit.repository';
export { PresenceRepository } from './presence/presence.repository';
export { openLeaseConnection } from './worker/lease-connection';
export { LEASE_TTL_MS, type WorkerLife } from './worker/lease';
export { WorkerRepository } from './worker/worker.repository';
export { WorkerProcessRepository } from './worker/worker-process.repository';
export { Reconciler, RECONCILE_EVERY_MS } from './reconcile/reconciler';
