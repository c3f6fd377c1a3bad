import { mayRetry, nextStatus, type TurnCause } from '@chirality/domain';
import type { TurnStatus } from '@chirality/contracts';
import type { Random } from '@chirality/testing';
import type { Claim, SettleCause, TurnStore, WorkerName } from './turn-store';

export interface Actor {
  readonly name: string;
  step(): Promise<void>;
}

/** The answers that the actors received, for the laws: texts whose append was answered with yes, and with no. */
export interface Testimony {
  written: string[];
  refused: string[];
  accepted: string[];
}

interface Own {
  claim: Claim;
  status: TurnStatus;
  mutated: boolean;
  stopAsked: boolean;
}

/**
 * Behaves as a worker does: believes what it was answered, drops a turn on the first refusal, and is now and then late.
 */
export class WorkerActor implements Actor {
  private own: Own | null = null;
  private ended: Claim | null = null;
  private texts = 0;
  private registered = true;
  private lives = 0;

  constructor(
    readonly name: WorkerName,
    private readonly store: TurnStore,
    private readonly random: Random,
    private readonly told: Testimony,
  ) {}

  async step(): Promise<void> {
    if (this.ended && this.random.chance(0.3)) return this.writeLate(this.ended);
    if (!this.own) return this.takeTurn();
    const { own } = this;
    const acts: (() => Promise<void>)[] = [
      () => this.write(own),
      () => this.write(own),
      () => this.lookForInterrupt(own),
    ];
    if (own.status === 'starting')
      acts.push(
        () => this.move(own, 'spawned'),
        () => this.move(own, 'spawned'),
      );
    if (own.status === 'running')
      acts.push(
        () => this.move(own, 'permission_asked'),
        () => this.move(own, 'result'),
        () => this.startTool(own),
        () => this.processDied(own),
      );
    if (own.status === 'awaiting_permission')
      acts.push(
        () => this.move(own, 'permission_settled'),
        () => this.settle(own, 'time_out'),
      );
    if (own.status === 'finishing')
      acts.push(
        () => this.settle(own, 'succeed'),
        () => this.processDied(own),
      );
    if (this.random.chance(0.1)) acts.push(() => this.settle(own, 'time_out'));
    await this.random.pick(acts)();
  }

  /** Completes what it has, as it would when nothing disturbed it. */
  async finish(): Promise<void> {
    const { own } = this;
    if (own) await this.settle(own, own.stopAsked ? 'interrupt' : 'fail');
    else await this.takeTurn();
  }

  /** The process dies and starts again under its name; what it had sent may still be under way. */
  async restart(): Promise<void> {
    if (this.own) this.ended = this.own.claim;
    this.own = null;
    this.lives += 1;
    await this.register();
  }

  /** Until it was answered, it does nothing else: it may or may not have begun another life. */
  private async register(): Promise<void> {
    this.registered = false;
    await this.store.register(this.name);
    this.registered = true;
  }

  private async takeTurn(): Promise<void> {
    if (!this.registered || !(await this.store.renewLease(this.name))) return this.register();
    const { lives } = this;
    const claim = await this.store.claim(this.name);
    // What was answered to an earlier life, no process hears.
    if (claim && lives === this.lives) this.own = { claim, status: 'starting', mutated: false, stopAsked: false };
  }

  private async write(own: Own): Promise<void> {
    const text = this.newText();
    this.note(text, await this.store.append(this.name, own.claim, text), own);
  }

  private async move(own: Own, cause: TurnCause): Promise<void> {
    const to = nextStatus(own.status, cause);
    if (to === null) throw new Error(`a worker tried ${cause} from ${own.status}`);
    const text = this.newText();
    const done = await this.store.move(this.name, own.claim, own.status, cause, text);
    this.note(text, done, own);
    if (done) own.status = to;
  }

  private async startTool(own: Own): Promise<void> {
    own.mutated ||= this.random.chance(0.5);
    await this.write(own);
  }

  private async processDied(own: Own): Promise<void> {
    if (
      !mayRetry({
        attempt: own.claim.attempt,
        processDied: true,
        mutatingToolStarted: own.mutated,
        interruptRequested: own.stopAsked,
      })
    )
      return this.settle(own, 'fail');
    const { claim } = own;
    await this.move(own, 'retry');
    if (this.own === own) own.claim = { ...claim, attempt: claim.attempt + 1 };
  }

  private async lookForInterrupt(own: Own): Promise<void> {
    if (!(await this.store.isInterruptRequested(this.name, own.claim))) return;
    own.stopAsked = true;
    await this.settle(own, 'interrupt');
  }

  private async settle(own: Own, cause: SettleCause): Promise<void> {
    if (nextStatus(own.status, cause) === null) return;
    await this.store.settle(this.name, own.claim, own.status, cause);
    this.drop(own);
  }

  /** Something of an ended turn comes too late: it must not count, except for the end of a parked process. */
  private async writeLate(claim: Claim): Promise<void> {
    this.ended = null;
    if (this.random.chance(0.3)) return this.store.appendParkedExit(claim.turnId, this.newText());
    const text = this.newText();
    const done = this.random.chance(0.5)
      ? await this.store.append(this.name, claim, text)
      : await this.store.move(this.name, claim, 'running', 'result', text);
    (done ? this.told.written : this.told.refused).push(text);
  }

  private note(text: string, done: boolean, own: Own): void {
    (done ? this.told.written : this.told.refused).push(text);
    if (!done) this.drop(own);
  }

  /** Only what is still its own: after a restart it may have another turn by now. */
  private drop(own: Own): void {
    if (this.own !== own) return;
    this.ended = own.claim;
    this.own = null;
  }

  private newText(): string {
    return `${this.name}${this.texts++}`;
  }
}

/** Sends messages and interrupts what runs. */
export class PersonActor implements Actor {
  readonly name = 'person';

  constructor(
    private readonly store: TurnStore,
    private readonly random: Random,
    private readonly told: Testimony,
    private readonly mostTurns: number,
  ) {}

  async step(): Promise<void> {
    const latest = this.told.accepted.at(-1);
    const enough = this.told.accepted.length >= this.mostTurns;
    if (latest && (enough || this.random.chance(0.4))) return this.store.interrupt(latest);
    const turnId = await this.store.accept();
    if (turnId) this.told.accepted.push(turnId);
  }
}

/** Takes leases away, as a pause or a partition does, restarts workers, and reconciles. */
export class MisfortuneActor implements Actor {
  readonly name = 'misfortune';

  constructor(
    private readonly store: TurnStore,
    private readonly random: Random,
    private readonly workers: WorkerActor[],
  ) {}

  async step(): Promise<void> {
    const victim = this.random.pick(this.workers);
    if (this.random.chance(0.25)) await this.store.loseLease(victim.name);
    else if (this.random.chance(0.15)) await victim.restart();
    else await this.store.reconcile();
  }
}
