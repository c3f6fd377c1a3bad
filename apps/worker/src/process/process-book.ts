import { SYSTEM } from '@chirality/contracts';
import type { EventLogWriter, ParkedProcessRepository, WorkerLife, WorkerProcessRepository } from '@chirality/database';
import { machineIdentity, metrics, processStartTime } from '@chirality/platform';
import type { Tuning } from '../harness/harness';
import type { LeaseThread } from '../lease';
import { waitingOrigin, type LiveProcess } from './live-process';
import type { ParkedEnd } from './process-pool';
import type { SandboxExit } from '../sandbox/sandbox.types';

/** The row of a process that keeps waiting turn after turn is renewed this often, not with each turn. */
const RENEW_MS = 60_000;

/** Ends of a waiting process that end its session's work for now. */
const SESSION_ENDS: Partial<Record<ParkedEnd, 'idle' | 'shutdown'>> = { expired: 'idle', shutdown: 'shutdown' };

interface BookParts {
  self: WorkerLife;
  parkedMs: number;
  processes: WorkerProcessRepository;
  parked: ParkedProcessRepository;
  eventLog: Pick<EventLogWriter, 'append'>;
  lease(): LeaseThread | null;
}

/**
 * What is recorded of the processes that live here: so that another worker of the machine can end them when we are
 * gone, and so that every process knows which session has one that waits. Nothing waits for these writes.
 */
export class ProcessBook {
  private readonly registrations = new Map<string, Promise<string | null>>();
  private readonly keptUntil = new Map<string, number>();

  constructor(private readonly parts: BookParts) {}

  registered(live: LiveProcess): void {
    const { self, processes, lease } = this.parts;
    const { pid } = live.process.sandboxed;
    const startTime = processStartTime(pid);
    if (startTime === null) return;
    const row = {
      workerId: self.id,
      workerLife: self.life,
      sessionId: live.sessionId,
      turnId: null,
      machine: machineIdentity(),
      pid,
      startTime,
    };
    lease()?.watch(row);
    this.registrations.set(
      live.id,
      processes.register(row).catch(() => null),
    );
  }

  unregistered(live: LiveProcess): void {
    const { self, processes, parked, lease } = this.parts;
    lease()?.unwatch(live.process.sandboxed.pid);
    const registered = this.registrations.get(live.id);
    this.registrations.delete(live.id);
    void registered?.then((id) => (id === null ? undefined : processes.unregister(id))).catch(() => undefined);
    if (this.keptUntil.delete(live.id)) void parked.remove(live.sessionId, self.id).catch(() => undefined);
  }

  /** It waits for its session's next turn. */
  kept(live: LiveProcess): void {
    const { self, parkedMs, parked } = this.parts;
    const now = performance.now();
    if ((this.keptUntil.get(live.id) ?? 0) > now && live.turnsServed > 1) return;
    this.keptUntil.set(live.id, now + RENEW_MS);
    const { sessionId, userId, spawnKey } = live;
    void parked
      .put({
        sessionId,
        workerId: self.id,
        userId,
        spawnKey,
        origin: waitingOrigin(live),
        expiresInMs: parkedMs + RENEW_MS,
      })
      .catch(() => undefined);
  }

  /**
   * A session whose process was ended because nothing came for long, or with its worker, starts from rest the next
   * time.
   */
  ended(live: LiveProcess, end: ParkedEnd): void {
    metrics.waitingProcessesEnded.inc({ reason: end, process: waitingOrigin(live) });
    const reason = SESSION_ENDS[end];
    if (reason === undefined || live.lastTurnId === null) return;
    void this.parts.eventLog
      .append({
        sessionId: live.sessionId,
        fence: null,
        events: [{ kind: 'session:end', turn: null, originator: SYSTEM, payload: { reason } }],
      })
      .catch(() => undefined);
  }

  /** One that waited was given another model or mode, and serves the turn that wants it. */
  retuned(changes: Partial<Tuning>): void {
    for (const what of Object.keys(changes)) metrics.processesRetuned.inc({ what });
  }

  /** One that waited is gone. Its turn shows that, where it served one before it waited. */
  exited(live: LiveProcess, exit: SandboxExit): void {
    this.unregistered(live);
    if (live.lastTurnId === null) return;
    const payload = { code: exit.code, signal: exit.signal, attempt: live.lastAttempt, final: true };
    void this.parts.eventLog
      .append({
        sessionId: live.sessionId,
        fence: null,
        events: [{ kind: 'process:exit', turn: live.lastTurnId, originator: live.lastOriginator, payload }],
      })
      .catch(() => undefined);
  }
}
