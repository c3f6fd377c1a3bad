import { applyTransition } from '@chirality/database';
import { RIGHTS_ENDED } from '@chirality/domain';
import type { Ending } from '../outcome/turn-ending';
import { endingOfError } from '../outcome/turn-failure';
import type { TurnPreparation } from '../prepare/turn-preparation';
import type { ActiveTurn } from '../record/active-turn';
import type { ModelCheck } from './model-check';
import type { RunningTurn } from './running-turn';
import type { TurnFiles } from './turn-files';
import type { TurnSettler } from './turn-settler';

/**
 * A boot: workspace, persona, options and prompt are resolved, the model is asked whether it can be reached, and the
 * fingerprint is stored. No program is started and nothing is written to the working root.
 */
export class BootExecution implements RunningTurn {
  readonly turnId: string;
  readonly sessionId: string;
  readonly isAtRest = false;
  readonly permissions = null;
  private stopped: Ending | null = null;
  private abandoned = false;

  constructor(
    private readonly turn: ActiveTurn,
    private readonly preparation: Pick<TurnPreparation, 'prepare'>,
    private readonly model: Pick<ModelCheck, 'fault'>,
    private readonly files: Pick<TurnFiles, 'release'>,
    private readonly settler: Pick<TurnSettler, 'settle'>,
  ) {
    this.turnId = turn.claimed.id;
    this.sessionId = turn.claimed.sessionId;
  }

  requestInterrupt(): void {
    this.stopped ??= { cause: 'interrupt', error: null };
  }

  forbid(): void {
    this.stopped ??= { cause: 'interrupt', error: RIGHTS_ENDED };
  }

  shutDown(): void {
    this.requestInterrupt();
  }

  abandon(): void {
    this.abandoned = true;
  }

  async run(): Promise<void> {
    const { turn } = this;
    const { ending, fingerprint } = await this.boot();
    this.files.release(turn.claimed);
    if (this.abandoned || turn.recorder.isFenced) return;
    turn.timings.mark('ended');
    await this.settler.settle(turn, { ending, last: null, lastWords: null, bootFingerprint: fingerprint });
    turn.log.info({ cause: ending.cause, code: ending.error?.code }, 'turn.booted');
  }

  private async boot(): Promise<{ ending: Ending; fingerprint: string | null }> {
    const { claimed, recorder, state, timings, log } = this.turn;
    try {
      const prepared = await this.preparation.prepare(claimed, recorder, new AbortController().signal);
      timings.mark('prepared');
      prepared.keepPrompt();
      const error = await this.model.fault(claimed);
      if (this.stopped) return { ending: this.stopped, fingerprint: null };
      if (error) return { ending: { cause: 'fail', error }, fingerprint: null };
      const began = await recorder.transition((tx) =>
        applyTransition(tx, { ...state.attempt, from: 'starting', cause: 'spawned' }),
      );
      if (!began) this.abandon();
      return { ending: { cause: 'succeed', error: null }, fingerprint: prepared.bootFingerprint };
    } catch (error) {
      log.error({ err: error }, 'turn.failed_to_boot');
      return { ending: endingOfError(error), fingerprint: null };
    }
  }
}
