import type { ClaimedTurn } from '@chirality/database';
import { RIGHTS_ENDED } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import { TurnCosts } from '../key/turn-costs';
import type { Ending } from '../outcome/turn-ending';
import { endingOfError } from '../outcome/turn-failure';
import { TurnJournal } from '../record/turn-journal';
import type { RunningTurn } from './turn-scheduler';
import type { AttemptRef, TurnServices } from './turn-services';
import { TurnTimings } from '../record/turn-timings';

/**
 * A boot: workspace, persona, options and prompt are resolved, the model is asked whether it can be reached, and the
 * fingerprint is stored. No program is started and nothing is written to the working root.
 */
export class BootExecution implements RunningTurn {
  readonly turnId: string;
  readonly sessionId: string;
  readonly isAtRest = false;
  private readonly attempt: AttemptRef;
  private readonly journal: TurnJournal;
  private readonly log: Logger;
  private stopped: Ending | null = null;
  private abandoned = false;

  constructor(
    private readonly claimed: ClaimedTurn,
    private readonly services: TurnServices,
  ) {
    this.turnId = claimed.id;
    this.sessionId = claimed.sessionId;
    this.attempt = { turnId: claimed.id, sessionId: claimed.sessionId, attempt: claimed.attempt, fence: claimed.fence };
    this.log = services.log.child({ session: this.sessionId, turn: this.turnId });
    this.journal = new TurnJournal(
      services.append,
      this.attempt,
      () => this.abandon(),
      (error) => this.log.error({ err: error }, 'turn.event_not_stored'),
    );
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

  lookAtPermissions(): void {
    // A boot asks no one.
  }

  async run(): Promise<void> {
    const timings = new TurnTimings(this.claimed.queuedAt, this.claimed.startedAt);
    const { ending, fingerprint } = await this.boot(timings);
    this.services.releaseState(this.claimed, this.attempt.fence);
    if (this.abandoned) return;
    timings.mark('ended');
    const costs = new TurnCosts(() => undefined);
    await this.services.settle({
      claimed: this.claimed,
      journal: this.journal,
      attempt: this.attempt,
      ending,
      last: null,
      lastWords: null,
      launch: null,
      costs,
      timings,
      bootFingerprint: fingerprint,
    });
    this.log.info({ cause: ending.cause, code: ending.error?.code }, 'turn.booted');
  }

  private async boot(timings: TurnTimings): Promise<{ ending: Ending; fingerprint: string | null }> {
    try {
      const prepared = await this.services.prepare(this.claimed, this.journal, new AbortController().signal);
      timings.mark('prepared');
      prepared.keepPrompt();
      const model = await this.services.checkModel(this.claimed);
      if (this.stopped) return { ending: this.stopped, fingerprint: null };
      if (!model.ok) return { ending: { cause: 'fail', error: model.error }, fingerprint: null };
      const began = await this.journal.transition((tx) =>
        this.services.applyTransition(tx, { ...this.attempt, from: 'starting', cause: 'spawned' }),
      );
      if (!began) this.abandon();
      return { ending: { cause: 'succeed', error: null }, fingerprint: prepared.bootFingerprint };
    } catch (error) {
      this.log.error({ err: error }, 'turn.failed_to_boot');
      return { ending: endingOfError(error), fingerprint: null };
    }
  }
}
