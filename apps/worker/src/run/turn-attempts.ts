import { setTimeout as delay } from 'node:timers/promises';
import type { EventPayload } from '@chirality/contracts';
import { mayRetry, nextStatus } from '@chirality/domain';
import { endingOfRun } from '../outcome/ending-of-run';
import { namingAttachments } from '../outcome/naming-attachments';
import { namingLimit } from '../outcome/reached-limit';
import { crashed, neverBegan, transcriptIsGone, type RunEnd } from '../outcome/run-end';
import type { Ending } from '../outcome/turn-ending';
import { endingOfError } from '../outcome/turn-failure';
import type { TurnPermissions } from '../permission/turn-permissions';
import type { PreparedTurn } from '../prepare/prepared-turn';
import type { TurnPreparation } from '../prepare/turn-preparation';
import type { LiveProcess } from '../process/live-process';
import type { Acquired, ProcessStarter } from '../process/process-starter';
import type { ActiveTurn } from '../record/active-turn';
import type { TurnFiles } from '../turn/turn-files';
import type { TurnServing } from './turn-serving';
import type { TurnServings } from './turn-servings';

/** How long an interrupt waits for a workspace that is still being made. */
const PREPARE_GRACE_MS = 3_000;

export type Done = {
  ending: Ending;
  prepared: PreparedTurn | null;
  /** The last process that served the turn; null where none did. */
  last: RunEnd | null;
  lastWords: EventPayload<'session:complete'> | null;
  /** The process that lives on. */
  live: LiveProcess | null;
};

/** Has a turn prepared and served, by as many processes as it takes. */
export class TurnAttempts {
  private serving: TurnServing | null = null;
  private prepared: PreparedTurn | null = null;
  private last: RunEnd | null = null;
  private lastWords: Done['lastWords'] = null;

  constructor(
    private readonly turn: ActiveTurn,
    private readonly preparation: Pick<TurnPreparation, 'prepare'>,
    private readonly starter: Pick<ProcessStarter, 'acquire' | 'discard'>,
    private readonly servings: Pick<TurnServings, 'begin'>,
    private readonly files: Pick<TurnFiles, 'release'>,
  ) {}

  get permissions(): TurnPermissions | null {
    return this.serving?.permissions ?? null;
  }

  waiting(isWaiting: boolean): void {
    this.serving?.waiting(isWaiting);
  }

  /** Never rejects: what goes wrong is how the turn ended. */
  async run(): Promise<Done> {
    const { stop, log } = this.turn;
    try {
      const live = await this.runUntilDone();
      return this.done(this.ending(), live);
    } catch (error) {
      log.error({ err: error }, 'turn.failed_to_run');
      return this.done(stop.reason === 'interrupt' ? { cause: 'interrupt', error: null } : endingOfError(error), null);
    }
  }

  private done(ending: Ending, live: LiveProcess | null): Done {
    const { prepared, last, lastWords } = this;
    return { ending, prepared, last, lastWords, live };
  }

  private ending(): Ending {
    const { payments, claimed, stop } = this.turn;
    const ending = payments.explain(endingOfRun(this.last, stop.reason));
    return namingAttachments(namingLimit(ending, claimed.options), this.prepared?.blocks ?? []);
  }

  /** The process that lives on, if one does. */
  private async runUntilDone(): Promise<LiveProcess | null> {
    const { claimed, state, stop, timings } = this.turn;
    let prepared = await this.prepareUnlessStopped();
    this.prepared = prepared;
    if (prepared === null) return null;
    timings.mark('prepared');
    let mode: 'any' | 'cold' = 'any';
    // An interrupt that came before anything was started needs no process to be carried out.
    while (stop.reason === null) {
      const acquired = await this.starter.acquire(claimed, prepared, mode);
      state.servedBy(acquired.launch);
      const end = await this.serveOrDiscard(acquired, prepared);
      this.last = end;
      if (end.exit === null) return acquired.live;
      await this.starter.discard(acquired.live);
      mode = 'cold';
      const next = await this.preparedForNext(acquired, prepared, end);
      if (next === null) return null;
      prepared = this.prepared = next;
    }
    return null;
  }

  /** What another process serves the turn with; null where none does. */
  private async preparedForNext(
    { origin }: Acquired,
    prepared: PreparedTurn,
    end: RunEnd,
  ): Promise<PreparedTurn | null> {
    const { recorder, stop } = this.turn;
    if (recorder.isFenced) return null;
    if (origin !== 'cold' && stop.reason === null && neverBegan(end)) {
      this.recordExit(end);
      return prepared;
    }
    if (transcriptIsGone(prepared.resume, end)) return this.startAfresh(prepared, end);
    return (await this.retryAfter(end)) ? prepared : null;
  }

  /** Null when the turn was stopped first; what is still being made then is let go when it is there. */
  private async prepareUnlessStopped(): Promise<PreparedTurn | null> {
    const { claimed, recorder, stop } = this.turn;
    const { signal } = stop;
    const preparing = this.preparation.prepare(claimed, recorder, signal);
    const patience = whenAborted(signal).then(() => delay(PREPARE_GRACE_MS, null, { ref: false }));
    const usable = preparing.catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    const prepared = await Promise.race([usable, patience]);
    if (prepared === null) void usable.finally(() => this.files.release(claimed));
    return prepared;
  }

  /** A process that cannot be served to its end must not live on. */
  private async serveOrDiscard(acquired: Acquired, prepared: PreparedTurn): Promise<RunEnd> {
    try {
      return await this.serve(acquired, prepared);
    } catch (error) {
      await this.starter.discard(acquired.live);
      throw error;
    }
  }

  private async serve({ live, origin }: Acquired, prepared: PreparedTurn): Promise<RunEnd> {
    const { stop } = this.turn;
    const serving = this.servings.begin(this.turn, prepared, live, origin);
    this.serving = serving;
    const serves = serving.serve();
    stop.attach(serving);
    const end = await serves;
    stop.release();
    this.serving = null;
    this.lastWords = serving.lastWords;
    return end;
  }

  private startAfresh(prepared: PreparedTurn, end: RunEnd): PreparedTurn {
    this.turn.recorder.record('session:error', {
      code: 'RESUME_FAILED',
      detail:
        'The earlier conversation could not be found, so this turn started a new one. The files are as they were.',
      retryable: true,
    });
    this.recordExit(end);
    return { ...prepared, resume: null };
  }

  /** The one automatic retry: true when a second attempt owns the session now. */
  private async retryAfter(end: RunEnd): Promise<boolean> {
    const { recorder, state, stop, log } = this.turn;
    const permitted =
      nextStatus(state.status, 'retry') !== null &&
      mayRetry({
        attempt: state.attempt.attempt,
        processDied: crashed(end),
        mutatingToolStarted: end.mutatingToolStarted,
        interruptRequested: stop.reason !== null,
      });
    if (!permitted) return false;
    recorder.withdrawAll('retry');
    this.recordExit(end);
    if (!(await state.retry())) return false;
    log.warn({ attempt: state.attempt.attempt }, 'turn.retried');
    return true;
  }

  /** Another process follows. */
  private recordExit({ exit }: RunEnd): void {
    this.turn.recorder.record('process:exit', {
      code: exit?.code ?? null,
      signal: exit?.signal ?? null,
      attempt: this.turn.state.attempt.attempt,
      final: false,
    });
  }
}

/** Resolves when the signal is aborted, at once when it is already. */
function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
