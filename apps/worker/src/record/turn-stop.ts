import type { StopReason } from '../outcome/turn-ending';

/** What ends the process that serves a turn. */
interface Stoppable {
  stop(reason: StopReason): void;
}

/**
 * Why a turn has to end before its program is done. The first reason stays, except where a tool ran without being
 * allowed.
 */
export class TurnStop {
  private first: StopReason | null = null;
  private serving: Stoppable | null = null;
  private readonly aborted = new AbortController();

  get reason(): StopReason | null {
    return this.first;
  }

  /** Aborted with the first reason. */
  get signal(): AbortSignal {
    return this.aborted.signal;
  }

  request(reason: StopReason): void {
    this.first = reason === 'bypassed' ? reason : (this.first ?? reason);
    this.aborted.abort();
    this.serving?.stop(reason);
  }

  /** Passes every reason on to what serves the turn until it is released, an earlier reason first. */
  attach(serving: Stoppable): void {
    this.serving = serving;
    if (this.first) serving.stop(this.first);
  }

  release(): void {
    this.serving = null;
  }
}
