import type { EventPayload } from '@chirality/contracts';
import type { GatewayLease } from '../gateway/serve/model-gateway';
import type { RunResult } from '../harness/harness-output';
import type { TurnUsageBinding } from '../key/turn-costs';
import type { PreparedTurn } from '../prepare/prepared-turn';
import type { ActiveTurn } from '../record/active-turn';

/** How far the program that serves a turn has come: it announces itself, begins to answer, and has its result. */
export class TurnProgress {
  /** What came of the turn, where its end follows at once: viewers hear of it together with that. */
  lastWords: EventPayload<'session:complete'> | null = null;
  private recording: Promise<void> = Promise.resolve();

  constructor(
    private readonly turn: Pick<ActiveTurn, 'recorder' | 'state' | 'costs'>,
    private readonly lease: Pick<GatewayLease<TurnUsageBinding>, 'unbind'>,
    private readonly prepared: Pick<PreparedTurn, 'keepPrompt'>,
  ) {}

  /** In one commit with what the program says of itself, where it is the first time that it does. */
  announced(init?: EventPayload<'session:init'>): void {
    const { recorder, state } = this.turn;
    const record = () => {
      if (init) recorder.record('session:init', init);
    };
    if (state.status !== 'starting') return record();
    void state.change('spawned', init ? [{ kind: 'session:init', payload: init }] : []).then((changed) => {
      if (!changed) record();
    });
  }

  /** The model began to answer in words. */
  firstText(): void {
    this.prepared.keepPrompt();
  }

  /** `isEnd`: nothing else of the turn is waited for. Else the process is to end first, or files may have changed. */
  resulted(result: RunResult, isEnd: boolean): void {
    this.recording = this.record(result, isEnd);
  }

  /** Resolves when the result is stored, and the usage of every message before it. */
  async recorded(): Promise<void> {
    await this.recording;
  }

  private async record(result: RunResult, isEnd: boolean): Promise<void> {
    // It says only that there was nothing to continue: the turn begins again.
    if (result.error?.code === 'RESUME_FAILED') return;
    // A local command answers without announcing itself.
    this.announced();
    await this.lease.unbind();
    const { text, degraded, structured } = result;
    const complete = {
      text,
      degraded,
      ...(structured === null ? {} : { structured }),
      ...this.turn.costs.soFar(),
    };
    if (isEnd) {
      this.lastWords = complete;
      return;
    }
    await this.turn.state.change(
      'result',
      result.outcome === 'completed' ? [{ kind: 'session:complete', payload: complete }] : [],
    );
  }
}
