import type { TurnStatus } from '@chirality/contracts';
import { isFinal, nextStatus, type TurnCause } from '@chirality/domain';
import type { Random } from '@chirality/testing';
import type { Claim, SettleCause, StoredEvent, StoredTurn, TurnStore, WorkerName } from './turn-store';

interface ModelTurn extends StoredTurn {
  worker: WorkerName | null;
  /** The life of the worker that claimed it. */
  life: number;
  interruptRequested: boolean;
}

interface ModelWorker {
  life: number;
  leaseIsGood: boolean;
  stopped: boolean;
  known: Set<string>;
}

export const LOST = 'the answer was lost';
const lostAnswer = new Error(LOST);

/**
 * What the database does, as a model: every act is one atomic step under the product's own transition table. With
 * `lossProbability` a claim's or an acceptance's answer is lost after it took effect, or a claim takes effect later.
 * Appends are never unsure, because the event log finds out for itself.
 */
export class MemoryStore implements TurnStore {
  private readonly allTurns: ModelTurn[] = [];
  private readonly log: StoredEvent[] = [];
  private readonly late: (() => void)[] = [];
  private fence = 0n;
  private readonly workers: Record<WorkerName, ModelWorker> = { a: newWorker(), b: newWorker() };

  constructor(
    private readonly random: Random,
    private lossProbability: number,
  ) {}

  async accept(): Promise<string | null> {
    if (this.live()) return null;
    const turn: ModelTurn = {
      id: `t${this.allTurns.length}`,
      status: 'queued',
      attempt: 0,
      fence: 0n,
      worker: null,
      life: 0,
      interruptRequested: false,
    };
    this.allTurns.push(turn);
    this.write(turn.id, 'turn:queued', turn.id);
    this.maybeLose();
    return turn.id;
  }

  async claim(name: WorkerName): Promise<Claim | null> {
    const { known } = this.workers[name];
    const knownThen = new Set(known);
    if (this.random.chance(this.lossProbability)) {
      // The connection was given up, but the statement is still under way.
      this.late.push(() => void this.take(name, knownThen));
      throw lostAnswer;
    }
    const turn = this.take(name, knownThen);
    this.maybeLose();
    if (!turn) return null;
    known.add(turn.id);
    return { turnId: turn.id, attempt: turn.attempt, fence: turn.fence };
  }

  async move(_: WorkerName, claim: Claim, from: TurnStatus, cause: TurnCause, text: string): Promise<boolean> {
    this.letLateOneThrough();
    if (claim.fence !== this.fence || !this.transition(claim, from, cause)) return false;
    this.write(claim.turnId, 'turn:notice', text);
    return true;
  }

  async append(_: WorkerName, claim: Claim, text: string): Promise<boolean> {
    this.letLateOneThrough();
    if (claim.fence !== this.fence) return false;
    this.write(claim.turnId, 'turn:notice', text);
    return true;
  }

  async settle(_: WorkerName, claim: Claim, from: TurnStatus, cause: SettleCause): Promise<boolean> {
    return claim.fence === this.fence && this.end(claim, from, cause);
  }

  async appendParkedExit(turnId: string, text: string): Promise<void> {
    this.write(turnId, 'process:exit', text);
  }

  async interrupt(turnId: string): Promise<void> {
    const turn = this.find(turnId);
    if (!turn || isFinal(turn.status)) return;
    turn.interruptRequested = true;
    if (turn.status === 'queued') this.end({ turnId, attempt: turn.attempt, fence: turn.fence }, 'queued', 'cancel');
  }

  async isInterruptRequested(_: WorkerName, claim: Claim): Promise<boolean> {
    return this.find(claim.turnId)?.interruptRequested ?? false;
  }

  async loseLease(name: WorkerName): Promise<void> {
    this.workers[name].leaseIsGood = false;
  }

  async renewLease(name: WorkerName): Promise<boolean> {
    const worker = this.workers[name];
    if (!worker.stopped) worker.leaseIsGood = true;
    return !worker.stopped;
  }

  async register(name: WorkerName): Promise<void> {
    const worker = this.workers[name];
    Object.assign(worker, { life: worker.life + 1, leaseIsGood: true, stopped: false, known: new Set() });
  }

  async reconcile(): Promise<void> {
    this.letLateOneThrough();
    for (const worker of Object.values(this.workers)) worker.stopped ||= !worker.leaseIsGood;
    const turn = this.live();
    if (!turn?.worker) return;
    const worker = this.workers[turn.worker];
    if (worker.stopped || turn.life < worker.life)
      this.end({ turnId: turn.id, attempt: turn.attempt, fence: turn.fence }, turn.status, 'lose_worker');
  }

  async turns(): Promise<StoredTurn[]> {
    return this.allTurns;
  }

  async events(): Promise<StoredEvent[]> {
    return this.log;
  }

  /** From now on every answer arrives, and nothing is under way. */
  calm(): void {
    for (const act of this.late.splice(0)) act();
    this.lossProbability = 0;
  }

  /** One of the statements that are still under way comes through. */
  private letLateOneThrough(): void {
    if (this.late.length > 0 && this.random.chance(0.3)) this.late.shift()?.();
  }

  private take(name: WorkerName, known: ReadonlySet<string>): ModelTurn | null {
    const worker = this.workers[name];
    const turn = this.live();
    if (!turn || !worker.leaseIsGood || worker.stopped) return null;
    const unheard =
      turn.status === 'starting' && turn.worker === name && turn.life === worker.life && !known.has(turn.id);
    if (unheard) return turn;
    const to = nextStatus(turn.status, 'claim');
    if (to === null) return null;
    return Object.assign(turn, { status: to, attempt: 1, fence: ++this.fence, worker: name, life: worker.life });
  }

  private end(claim: Claim, from: TurnStatus, cause: TurnCause): boolean {
    if (!this.transition(claim, from, cause)) return false;
    this.write(claim.turnId, 'turn:end', this.find(claim.turnId)?.status ?? '');
    this.fence++;
    return true;
  }

  private transition({ turnId, attempt, fence }: Claim, from: TurnStatus, cause: TurnCause): boolean {
    const turn = this.find(turnId);
    const to = nextStatus(from, cause);
    if (!turn || to === null || turn.status !== from || turn.attempt !== attempt || turn.fence !== fence) return false;
    turn.status = to;
    if (cause === 'retry') turn.attempt++;
    return true;
  }

  private live(): ModelTurn | undefined {
    const last = this.allTurns.at(-1);
    return last && !isFinal(last.status) ? last : undefined;
  }

  private find(turnId: string): ModelTurn | undefined {
    return this.allTurns[Number(turnId.slice(1))];
  }

  private write(turn: string, kind: string, text: string): void {
    this.log.push({ id: this.log.length + 1, turn, kind, text });
  }

  private maybeLose(): void {
    if (this.random.chance(this.lossProbability)) throw lostAnswer;
  }
}

function newWorker(): ModelWorker {
  return { life: 0, leaseIsGood: true, stopped: false, known: new Set() };
}
