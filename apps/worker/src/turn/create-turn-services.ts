import { setTimeout as delay } from 'node:timers/promises';
import {
  applyTransition,
  closePermissions,
  insertPermission,
  moveDeadlines,
  untilAnswered,
  type AuditRepository,
  type EventLogWriter,
  type PermissionRepository,
  type PolicyRepository,
  type PresenceRepository,
  type ToolCallRepository,
  type ClaimedTurn,
  type Tx,
} from '@chirality/database';
import type { BlobStore, Logger } from '@chirality/platform';
import type { Backlog } from '../harness/harness';
import { checkUpstream } from '../gateway';
import { refusedKeySentence, type Author } from '../key/account';
import type { AccountFinder } from '../key/account-finder';
import { LEASE_GIVE_UP_MS } from '../lease';
import type { ProjectSetup } from './project-setup';
import type { ProjectVariables } from '../project/project-variables';
import type { ProcessPool } from '../process/process-pool';
import type { ProcessStarter } from '../process/process-starter';
import type { SessionDisk } from '../state/session-disk';
import { endingOfError } from '../outcome/turn-failure';
import { optionValue } from '../process/prepared-turn';
import { EgressRecord, type EgressLogSink } from '../egress';
import type { TurnPreparer } from './turn-preparer';
import type { TurnServices } from './turn-services';
import type { TurnSettler } from './turn-settler';
import type { TurnLimits } from './turn-limits';

export type TurnServiceParts = {
  workerId: string;
  log: Logger;
  rawLogRoot: string;
  blobs: BlobStore;
  backlog: Backlog;
  eventLog: EventLogWriter;
  ledger: ToolCallRepository;
  permissions: PermissionRepository;
  presence: PresenceRepository;
  policy: PolicyRepository;
  audit: Pick<AuditRepository, 'record'>;
  preparer: TurnPreparer;
  accounts: Pick<AccountFinder, 'accountOf'>;
  egressLog: EgressLogSink;
  variables: ProjectVariables;
  setup: ProjectSetup;
  starter: ProcessStarter;
  pool: ProcessPool;
  settler: TurnSettler;
  disk: SessionDisk;
  limits: TurnLimits;
  parking: boolean;
  /** A sandbox did not come up: it must be proven again. */
  onSandboxFailure(): void;
  /** Aborted when the worker is about to end: nothing more is postponed. */
  hurry: AbortSignal;
};

const authorOf = ({ teamId, author }: ClaimedTurn): Author => ({ teamId, userId: author.userId, name: author.name });

/** How long a session rests before it is stored. Until then its worker alone takes its next turn. */
const STORE_AFTER_MS = 500;

/** A tool that waits to be decided waits for a database that is away, as its turn does. */
const patiently = <T>(act: () => Promise<T>) => untilAnswered(act, LEASE_GIVE_UP_MS);

/** What turns need, made of the worker's parts. */
export function createTurnServices(parts: TurnServiceParts): TurnServices {
  const { eventLog, ledger, log } = parts;
  const report = (message: string) => (error: Error) => log.warn({ err: error }, message);
  return {
    workerId: parts.workerId,
    log,
    rawLogRoot: parts.rawLogRoot,
    blobs: parts.blobs,
    backlog: parts.backlog,
    append: (item) => eventLog.append(item),
    applyTransition: (tx, change) => applyTransition(tx, change),

    prepare: async (claimed, journal, stopped) => {
      const variables = claimed.project.hasVariables ? await parts.variables.open(claimed.project.id) : null;
      if (variables) journal.maskAlso(variables.masks);
      const [account, prepared] = await Promise.allSettled([
        parts.accounts.accountOf(authorOf(claimed)),
        parts.preparer.prepare(claimed, journal, stopped, variables),
      ]);
      // Not before both are over: what is being prepared holds the session's copy.
      if (account.status === 'rejected') throw account.reason;
      if (prepared.status === 'rejected') throw prepared.reason;
      const { paidBy, keyId } = account.value;
      const complete = { ...prepared.value, account: { paidBy, keyId } };
      return { ...complete, setupRan: await parts.setup.run(claimed, complete, journal, stopped) };
    },
    acquire: (claimed, prepared, mode) => parts.starter.acquire(claimed, prepared, mode),
    bind: (live, claimed, attempt, spending, onEgressRefused) => {
      const who = {
        projectId: claimed.projectId,
        sessionId: claimed.sessionId,
        turnId: claimed.id,
        userId: claimed.author.userId,
      };
      const keptBack = new EgressRecord({ ...who, onRefused: onEgressRefused }, parts.egressLog, log);
      live.lease.bind({
        turnId: claimed.id,
        attempt,
        authorId: claimed.author.userId,
        authorName: claimed.author.name,
        sessionId: claimed.sessionId,
        teamId: claimed.teamId,
        projectId: claimed.projectId,
        persona: claimed.persona?.key ?? null,
        allows: { model: optionValue(claimed.options, 'model'), webSearch: claimed.project.egress.webSearch },
        onRequestRefused: ({ what }) => keptBack.note(what, 0, 'not_passed_on'),
        ...spending,
        onEgressRefused,
      });
    },
    checkModel: async (claimed) => {
      try {
        const author = authorOf(claimed);
        const account = await parts.accounts.accountOf(author);
        const check = await checkUpstream(account.upstream, account.apiKey);
        if (check.ok) return { ok: true };
        return {
          ok: false,
          error: {
            code: check.code,
            detail: check.code === 'MODEL_AUTH_FAILED' ? refusedKeySentence(account, author, null) : check.detail,
          },
        };
      } catch (error) {
        return {
          ok: false,
          error: endingOfError(error).error ?? { code: 'HARNESS_FAILURE', detail: 'The model could not be checked.' },
        };
      }
    },
    mayPark: (claimed, prepared) =>
      parts.parking &&
      claimed.kind === 'message' &&
      claimed.session.workspace === 'own' &&
      prepared.mode !== 'pipeline' &&
      !prepared.fresh,
    park: (live) => parts.pool.park(live),
    discard: (live) => parts.starter.discard(live),
    limits: (prepared, origin) => ({
      ...parts.limits,
      ...(origin === 'cold' ? {} : { startMs: parts.limits.parkedStartMs }),
      ...(prepared.timeoutMs === null ? {} : { wallMs: prepared.timeoutMs }),
    }),

    policyInForce: ({ sessionId, author }) => patiently(() => parts.policy.readInForce(sessionId, author)),
    writeLedger: (attempt, entry) => patiently(() => ledger.openToolCall({ ...attempt, ...entry })),
    auditBypass: ({ id, teamId, projectId, sessionId, author }, { tool, ...bypass }) =>
      patiently(() =>
        parts.audit.record({
          teamId,
          userId: author.userId,
          userName: author.name,
          action: 'policy:bypass',
          object: sessionId,
          detail: { projectId, turnId: id, tool, ...bypass },
        }),
      ).catch(report('turn.bypass_not_audited')),
    markAllowed: (attempt, toolUseId) => patiently(() => ledger.markAllowed(attempt, toolUseId)),
    // A call that stays open has an unknown outcome, and people would be asked about it.
    closeLedger: ({ turnId }, toolUseId, outcome) =>
      void patiently(() => ledger.closeToolCall(turnId, toolUseId, outcome)).catch(report('turn.ledger_not_closed')),
    insertPermission: (tx, { sessionId, turnId }, permission) =>
      insertPermission(tx, { ...permission, sessionId, turnId }),
    readPermissions: (ids) => parts.permissions.readAnswers(ids),
    endPermissions: async ({ sessionId, turnId, fence }, permissionIds, end) => {
      const transition = (tx: Tx) => closePermissions(tx, turnId, end, permissionIds);
      await eventLog.append({ sessionId, fence, events: [], transition }).catch(report('permission.not_closed'));
    },
    moveDeadlines: async ({ sessionId, turnId, fence }, permissionIds, expiresAt) => {
      const transition = (tx: Tx) => moveDeadlines(tx, turnId, permissionIds, expiresAt);
      await eventLog
        .append({ sessionId, fence, events: [], transition })
        .catch(report('permission.deadline_not_moved'));
    },
    countAnswerers: ({ sessionId }) => parts.presence.countAnswerers(sessionId),
    unattendedMs: parts.limits.unattendedMs,
    waitMs: parts.limits.waitMs,

    summariseChanges: async ({ sessionId }) => {
      try {
        return await parts.disk.summariseChanges(sessionId);
      } catch (error) {
        log.warn({ err: error, session: sessionId }, 'session.changes_unknown');
        return null;
      }
    },
    settle: (settlement) => parts.settler.settle(settlement),
    sandboxFailed: () => parts.onSandboxFailure(),
    keepState: ({ sessionId }, fence) => parts.disk.keep(sessionId, fence),
    releaseState: ({ sessionId }, fence) => parts.disk.release(sessionId, fence),
    storeState: async (claimed, facts) => {
      // A person who answers at once should not wait for the store of what is changed again anyway.
      await delay(STORE_AFTER_MS, undefined, { signal: parts.hurry }).catch(() => undefined);
      await parts.disk
        .store({ sessionId: claimed.sessionId, ...facts })
        .then(
          (outcome) => log.debug({ session: claimed.sessionId, outcome }, 'session.stored'),
          report('session.not_stored'),
        );
    },
  };
}
