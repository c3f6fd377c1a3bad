import { randomUUID } from 'node:crypto';
import type { Envelope, EventKind, NewEvent } from '@chirality/contracts';
import {
  createDatabase,
  EventLogWriter,
  insertPermission,
  TurnClaimRepository,
  TurnRepository,
  TurnSettlementRepository,
  WorkerRepository,
  type ClaimedTurn,
  type Database,
  type NewPermission,
} from '@chirality/database';
import { newId } from '@chirality/domain';
import { createMessaging, type Messaging } from '@chirality/messaging';

/** Plays a worker towards database and Redis: it has a lease, claims turns, appends events and settles. It runs nothing. */
export class StandInWorker {
  readonly id = newId('worker');
  readonly life = randomUUID();
  readonly workers: WorkerRepository;
  readonly claims: TurnClaimRepository;
  readonly turns: TurnRepository;
  private readonly settlements: TurnSettlementRepository;

  private constructor(
    readonly database: Database,
    readonly messaging: Messaging,
    readonly log: EventLogWriter,
  ) {
    this.workers = new WorkerRepository(database);
    this.turns = new TurnRepository(database);
    this.claims = new TurnClaimRepository(database);
    this.settlements = new TurnSettlementRepository(database, log);
  }

  static async start(
    databaseUrl: string,
    redisUrl: string,
    { registered }: { registered: boolean },
  ): Promise<StandInWorker> {
    const database = createDatabase({ url: databaseUrl });
    const messaging = createMessaging({ redisUrl });
    const log = new EventLogWriter({
      pool: database.eventPool,
      onCommitted: (session, events) => messaging.events.publish(session, events),
    });
    const worker = new StandInWorker(database, messaging, log);
    await messaging.whenConnected();
    if (registered) await worker.register();
    return worker;
  }

  register(): Promise<void> {
    const facts = {
      id: this.id,
      life: this.life,
      machine: 'stand-in',
      pid: process.pid,
      slots: 4,
      sandbox: 'bubblewrap',
      sandboxDetail: null,
      claudeVersion: null,
      harnesses: ['claude-code'],
    } as const;
    return this.workers.register(facts, 3_600_000);
  }

  /** Takes the next turn, which must be there. */
  async claim(): Promise<ClaimedTurn> {
    const turn = await this.claims.claimNext(this);
    if (!turn) throw new Error('there is no turn to claim');
    return turn;
  }

  /** Takes turns until it has the session's, which must be there. A request that was answered 503 may have left one before it. */
  async claimOf(sessionId: string): Promise<ClaimedTurn> {
    const turn = await this.claim();
    return turn.sessionId === sessionId ? turn : this.claimOf(sessionId);
  }

  async append(
    turn: Pick<ClaimedTurn, 'id' | 'sessionId' | 'fence'>,
    kind: EventKind,
    payload: unknown,
  ): Promise<Envelope[]> {
    const event = { kind, turn: turn.id, originator: { system: true }, payload } as NewEvent;
    const result = await this.log.append({ sessionId: turn.sessionId, fence: turn.fence, events: [event] });
    if (!result.appended) throw new Error(`the event was refused: ${result.reason}`);
    return result.events;
  }

  /** `count` pieces of text, without waiting between them. */
  async stream(turn: ClaimedTurn, count: number, size = 10): Promise<void> {
    const pieces = Array.from({ length: count }, (_, n) =>
      this.append(turn, 'tool:progress', { toolUseId: `tool_${n}`, text: `${n} `.padEnd(size, 'x') }),
    );
    await Promise.all(pieces);
  }

  async become(
    turn: ClaimedTurn,
    cause: 'spawned' | 'permission_asked',
    events: NewEvent[] = [],
    permission?: NewPermission,
  ): Promise<void> {
    const { applyTransition } = await import('@chirality/database');
    const result = await this.log.append({
      sessionId: turn.sessionId,
      fence: turn.fence,
      events,
      transition: async (tx) => {
        if (permission) await insertPermission(tx, permission);
        return applyTransition(tx, { turnId: turn.id, cause, attempt: turn.attempt, fence: turn.fence });
      },
    });
    if (!result.appended) throw new Error(`${cause} was refused: ${result.reason}`);
  }

  async settle(turn: ClaimedTurn, cause: 'succeed' | 'fail' | 'interrupt' = 'succeed'): Promise<void> {
    await this.settlements.settle({
      sessionId: turn.sessionId,
      turnId: turn.id,
      attempt: turn.attempt,
      fence: turn.fence,
      cause,
      fenced: true,
      set: { text: 'done' },
    });
  }

  async stop(): Promise<void> {
    await this.log.close(1_000);
    await this.messaging.close();
    await this.database.close();
  }
}
