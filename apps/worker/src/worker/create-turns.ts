import { join } from 'node:path';
import {
  AuditRepository,
  PermissionRepository,
  PolicyRepository,
  PresenceRepository,
  ProjectRepository,
  PullRequestRepository,
  SessionPushRepository,
  SessionRepository,
  SessionStateRepository,
  ToolCallRepository,
  ForbiddenTurnRepository,
  TurnClaimRepository,
  TurnRepository,
  TurnSettlementRepository,
  type WorkerLife,
} from '@chirality/database';
import type { Config, Logger } from '@chirality/platform';
import { PermissionStore } from '../permission/permission-store';
import { Permissions } from '../permission/permissions';
import { ToolCallLedger } from '../permission/tool-call-ledger';
import { PushDescription } from '../proposal/push-description';
import { PushProposals } from '../proposal/push-proposals';
import type { PullRequestActs } from '../pull-request/pull-request-acts';
import type { TurnPreparation } from '../prepare/turn-preparation';
import type { ProcessStarter } from '../process/process-starter';
import { TurnRecords } from '../record/turn-records';
import { TurnConclusion } from '../run/turn-conclusion';
import { TurnRunner } from '../run/turn-runner';
import { TurnScheduler } from '../run/turn-scheduler';
import { TurnServings } from '../run/turn-servings';
import { ModelCheck } from '../turn/model-check';
import { TurnClaims } from '../turn/turn-claims';
import { TurnFiles } from '../turn/turn-files';
import { TURN_LIMITS, type TurnLimits } from '../turn/turn-limits';
import { TurnSettler } from '../turn/turn-settler';
import type { Network } from './create-network';
import type { Pooling } from './create-processes';
import type { Sandboxing } from './create-sandboxing';
import type { WorkerDisk } from './create-session-disk';
import type { Storage } from './create-storage';

interface TurnParts {
  config: Config;
  self: WorkerLife;
  slots: number;
  storage: Storage;
  sandboxing: Sandboxing;
  network: Network;
  pooling: Pooling;
  worker: WorkerDisk;
  preparation: TurnPreparation;
  starter: ProcessStarter;
  pullRequestActs: PullRequestActs;
  log: Logger;
}

/** Takes turns, runs them, and ends them. */
export function createTurns(parts: TurnParts) {
  const { config, self, slots, storage, sandboxing, network, preparation, starter, log } = parts;
  const { database, eventLog, blobs, messaging } = storage;
  const settlements = new TurnSettlementRepository(database, eventLog);
  const settler = new TurnSettler(settlements, new SessionStateRepository(database), network.usage, log);
  const files = new TurnFiles(parts.worker.disk, log);
  const limits: TurnLimits = { ...TURN_LIMITS, ...config.testLimits };
  const runner = new TurnRunner(
    new TurnRecords(self.id, eventLog, join(config.dataDir, 'raw'), blobs, log),
    preparation,
    starter,
    new TurnServings(createPermissions(parts, limits), network.egressLog, limits, config.parkedMs > 0),
    settler,
    files,
    new TurnConclusion(settler, starter, parts.pooling.pool, files, sandboxing.sandboxWatch),
    new ModelCheck(network.accounts),
  );
  const claims = new TurnClaims(
    self,
    new TurnClaimRepository(database),
    settlements,
    sandboxing.sandboxWatch,
    messaging,
  );
  const turns = new TurnRepository(database);
  const forbidden = new ForbiddenTurnRepository(database, eventLog);
  return { turns, forbidden, files, scheduler: new TurnScheduler(slots, claims, runner, log) };
}

function createPermissions(parts: TurnParts, limits: TurnLimits): Permissions {
  const { storage, worker, pullRequestActs, log } = parts;
  const { database, eventLog, messaging } = storage;
  const requests = new PermissionRepository(database, eventLog);
  const store = new PermissionStore(requests, new PresenceRepository(database), eventLog, log);
  const ledger = new ToolCallLedger(new ToolCallRepository(database), new AuditRepository(database), log);
  const { acts, scripts, pushes: remote } = worker;
  const rows = {
    pushes: new SessionPushRepository(database),
    sessions: new SessionRepository(database, eventLog),
    projects: new ProjectRepository(database),
  };
  const description = new PushDescription({ ...rows, acts, scripts });
  const pullRequests = new PullRequestRepository(database);
  const onPushed = (sessionId: string) =>
    messaging.sessionChanges.publish({ sessionId, mayBeHidden: false, pullRequest: true });
  const proposals = new PushProposals({ ...rows, acts, remote, pullRequests, pullRequestActs, onPushed, log });
  return new Permissions(new PolicyRepository(database), store, ledger, description, proposals, limits);
}
