import type { TurnRecorder } from './turn-recorder';

/**
 * Names the limit of processes in a turn's log. A command that meets it reads "Resource temporarily unavailable", which
 * names no cause.
 */
export class ProcessLimitNotice {
  private said = false;

  constructor(private readonly recorder: Pick<TurnRecorder, 'record'>) {}

  /** Said once for each turn, however often the limit is met. */
  say(limit: number): void {
    if (this.said) return;
    this.said = true;
    this.recorder.record('turn:notice', {
      level: 'warning',
      code: 'RESOURCE_LIMIT',
      text: `This turn runs as many processes as its sandbox may (${limit}), so commands cannot start others. Run fewer at once, or stop the turn.`,
    });
  }
}
