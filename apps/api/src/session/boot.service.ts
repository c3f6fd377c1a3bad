import { Injectable } from '@nestjs/common';
import type { Options, Session } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { TurnAcceptance } from '../turn/turn-acceptance';
import { TurnWatch } from '../turn/turn-watch';

const BOOT_LIMIT_MS = 60_000;

export type BootAnswer = {
  session: Session;
  boot: { claudeSessionId: string | null; bootFingerprint: string | null; bootedAt: string | null };
};

/**
 * Boots a session ahead of its first message. A boot is a separate kind of turn, so it has the same queue, lease and
 * end.
 */
@Injectable()
export class BootService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly acceptance: TurnAcceptance,
    private readonly watch: TurnWatch,
  ) {}

  /**
   * Waits for the boot's end, up to a minute. A worker that finds nothing changed ends the turn without starting
   * anything.
   */
  async boot(who: Principal, sessionId: string, options: Options): Promise<BootAnswer> {
    const session = await this.sessions.forWriting(who, sessionId);
    const accepted = await this.acceptance.accept(who, session, { kind: 'boot', message: '', options });
    const { turn, final } = await this.watch.untilFinal(accepted, undefined, BOOT_LIMIT_MS);
    if (!final)
      throw new ProblemError('BOOT_IN_PROGRESS', 'The session is still booting. Ask again in a moment.', {
        turnId: turn.id,
      });
    if (turn.status !== 'completed') {
      throw new ProblemError(
        'HARNESS_FAILURE',
        `The session could not boot: ${turn.error?.detail ?? `the boot was ${turn.status}. Boot it again, or send a message, which boots automatically.`}`,
        { turnId: turn.id, turnStatus: turn.status, error: turn.error },
      );
    }
    const booted = await this.sessions.forReading(who, sessionId);
    const { claudeSessionId, bootFingerprint, bootedAt } = booted;
    return { session: booted, boot: { claudeSessionId, bootFingerprint, bootedAt } };
  }
}
