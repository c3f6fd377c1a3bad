import { SYSTEM, type NewEvent, type TurnStatus } from '@chirality/contracts';
import type { TurnCause } from '@chirality/domain';
import { buildSession, buildWorker, type Random } from '@chirality/testing';
import type { Pool } from 'pg';
import {
  applyTransition,
  EventLogWriter,
  Reconciler,
  TurnAcceptanceRepository,
  TurnClaimRepository,
  TurnInterruptRepository,
  TurnRepository,
  TurnSettlementRepository,
  WorkerRepository,
  type Database,
} from '../../src';
import { renewLease } from '../../src/worker/worker.sql';
import type { Claim, SettleCause, StoredEvent, StoredTurn, TurnStore, WorkerName } from './turn-store';

interface PostgresStoreOptions {
  /** Undisturbed: for the set-up and for looking. */
  calm: Pick<Database, 'pool' | 'prisma'>;
  /** What the product works through. */
  pool: Pool;
  writers: Record<WorkerName | 'api', EventLogWriter>;
  world: { team: { id: string }; project: { id: string }; owner: { id: string } };
  random: Random;
}

type WorkerLifeClaims = { claims: TurnClaimRepository; life: string };

/** The product itself: its repositories and writers on a real database, for one session. */
export class PostgresStore implements TurnStore {
  private session!: { id: string; teamId: string };
  private readonly ids = new Map<WorkerName, string>();
  private lives = 0;
  private readonly claims = new Map<WorkerName, WorkerLifeClaims>();
  private readonly turnRows: TurnRepository;
  private readonly acceptance: TurnAcceptanceRepository;
  private readonly interrupts: TurnInterruptRepository;
  private readonly workers: WorkerRepository;
  private readonly reconciler: Reconciler;

  private constructor(private readonly options: PostgresStoreOptions) {
    this.turnRows = new TurnRepository(options);
    this.acceptance = new TurnAcceptanceRepository(options, options.writers.api);
    this.interrupts = new TurnInterruptRepository(options, options.writers.api);
    this.workers = new WorkerRepository({ pool: options.pool, prisma: options.calm.prisma });
    this.reconciler = new Reconciler({
      database: options,
      log: options.writers.api,
      enqueue: () => undefined,
      machine: 'test',
      killProcess: () => undefined,
    });
  }

  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const store = new PostgresStore(options);
    const { calm, world } = options;
    const [session, a, b] = await Promise.all([
      buildSession(calm.pool, { teamId: world.team.id, projectId: world.project.id, ownerId: world.owner.id }),
      buildWorker(calm.pool),
      buildWorker(calm.pool),
    ]);
    store.session = session;
    for (const [name, worker] of [
      ['a', a],
      ['b', b],
    ] as const) {
      store.ids.set(name, worker.id);
      store.claims.set(name, { claims: new TurnClaimRepository(options), life: worker.life });
    }
    return store;
  }

  get sessionId(): string {
    return this.session.id;
  }

  async accept(): Promise<string | null> {
    const { owner } = this.options.world;
    const outcome = await this.acceptance.accept({
      session: this.session,
      kind: 'message',
      message: 'go',
      messageCipher: Buffer.from('x'),
      options: {},
      author: { userId: owner.id, name: 'Owner', identityClass: 'human' },
      originator: SYSTEM,
      idempotency: this.options.random.chance(0.5)
        ? { key: String(this.options.random.next()), bodyHash: 'h' }
        : undefined,
    });
    return outcome.outcome === 'accepted' ? outcome.turn.id : null;
  }

  async claim(worker: WorkerName): Promise<Claim | null> {
    const { claims, life } = this.claimsOf(worker);
    const claimed = await claims.claimNext({ id: this.idOf(worker), life });
    return claimed ? { turnId: claimed.id, attempt: claimed.attempt, fence: claimed.fence } : null;
  }

  async move(worker: WorkerName, claim: Claim, from: TurnStatus, cause: TurnCause, text: string): Promise<boolean> {
    const result = await this.options.writers[worker].append({
      sessionId: this.session.id,
      fence: claim.fence,
      events: [notice(claim.turnId, text)],
      transition: (tx) => applyTransition(tx, { ...claim, from, cause }),
    });
    return result.appended;
  }

  async append(worker: WorkerName, claim: Claim, text: string): Promise<boolean> {
    return (
      await this.options.writers[worker].append({
        sessionId: this.session.id,
        fence: claim.fence,
        events: [notice(claim.turnId, text)],
      })
    ).appended;
  }

  async settle(worker: WorkerName, claim: Claim, from: TurnStatus, cause: SettleCause): Promise<boolean> {
    const settlements = new TurnSettlementRepository(this.options, this.options.writers[worker]);
    const result = await settlements.settle({ ...claim, sessionId: this.session.id, from, cause, fenced: true });
    return result.appended;
  }

  async appendParkedExit(turnId: string, text: string): Promise<void> {
    const exit: NewEvent = {
      kind: 'process:exit',
      turn: turnId,
      originator: SYSTEM,
      payload: { code: 0, signal: null, attempt: 1, final: true, text },
    };
    await this.options.writers.a.append({ sessionId: this.session.id, fence: null, events: [exit] });
  }

  async interrupt(turnId: string): Promise<void> {
    await this.interrupts.request({ turnId, userId: this.options.world.owner.id, originator: SYSTEM });
  }

  async isInterruptRequested(worker: WorkerName, claim: Claim): Promise<boolean> {
    return (await this.turnRows.readSignals(this.idOf(worker))).interrupts.some(
      ({ turnId }) => turnId === claim.turnId,
    );
  }

  async loseLease(worker: WorkerName): Promise<void> {
    await this.options.calm.pool.query(
      `UPDATE worker SET lease_expires_at = now() - interval '1 second' WHERE id = $1`,
      [this.idOf(worker)],
    );
  }

  renewLease(worker: WorkerName): Promise<boolean> {
    return renewLease(this.options.pool, { id: this.idOf(worker), life: this.claimsOf(worker).life });
  }

  async register(worker: WorkerName): Promise<void> {
    const life = `life ${this.lives++}`;
    const registration = {
      id: this.idOf(worker),
      life,
      machine: 'test',
      pid: 1,
      slots: 1,
      sandbox: 'bubblewrap' as const,
      sandboxDetail: null,
      claudeVersion: null,
      harnesses: ['claude-code' as const],
    };
    await this.workers.register(registration);
    this.claims.set(worker, { claims: new TurnClaimRepository(this.options), life });
  }

  async reconcile(): Promise<void> {
    await this.reconciler.tick();
  }

  async turns(): Promise<StoredTurn[]> {
    const { rows } = await this.options.calm.pool.query(
      'SELECT id, status, attempt, fence FROM turn WHERE session_id = $1 ORDER BY queued_at, id',
      [this.session.id],
    );
    return rows.map(({ id, status, attempt, fence }) => ({ id, status, attempt, fence: BigInt(fence) }));
  }

  async events(): Promise<StoredEvent[]> {
    const { rows } = await this.options.calm.pool.query(
      'SELECT id, turn_id, kind, payload FROM event WHERE session_id = $1 ORDER BY id',
      [this.session.id],
    );
    return rows.map(({ id, turn_id: turn, kind, payload }) => {
      const { text, status } = JSON.parse(payload as string) as { text?: string; status?: string };
      return { id: Number(id), turn, kind, text: status ?? text ?? `${kind} ${id}` };
    });
  }

  /** The rows that decide who may do what, for the message of a failure. */
  async describe(): Promise<Record<string, unknown>> {
    const { pool } = this.options.calm;
    const rows = async (sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows as unknown[];
    return {
      turns: await rows('SELECT id, status, worker_id, worker_life FROM turn WHERE session_id = $1', [this.session.id]),
      session: await rows('SELECT holder_worker_id FROM session WHERE id = $1', [this.session.id]),
      workers: await rows('SELECT id, life, stopped_at, draining, lease_expires_at FROM worker WHERE id = ANY ($1)', [
        [...this.ids.values()],
      ]),
      lives: [...this.claims].map(([name, { life }]) => ({ name, id: this.idOf(name), life })),
      backends: await rows(
        `SELECT pid, state, wait_event_type, wait_event, pg_blocking_pids(pid) AS blocked_by, left(query, 90) AS query
         FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      ),
    };
  }

  private claimsOf(worker: WorkerName): WorkerLifeClaims {
    return this.claims.get(worker) as WorkerLifeClaims;
  }

  private idOf(worker: WorkerName): string {
    return this.ids.get(worker) as string;
  }
}

function notice(turn: string, text: string): NewEvent {
  return { kind: 'turn:notice', turn, originator: SYSTEM, payload: { level: 'info', code: 'TEST', text } };
}
