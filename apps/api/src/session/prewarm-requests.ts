import { Inject, Injectable } from '@nestjs/common';
import type { ResolvedOptions } from '@chirality/contracts';
import { ParkedProcessRepository } from '@chirality/database';
import { AheadChannel } from '@chirality/messaging';
import { LOG, ProblemError, type Logger } from '@chirality/platform';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { sessionPolicy } from '../access/session.policy';
import { OptionChain } from '../options/option-chain.service';

/**
 * The database keeps the measure, per session and over all api processes; this only spares it the questions of one
 * person.
 */
const SILENT_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Asks for a process ahead of the turn that a user will probably send: they opened the session, or type in it. For
 * people who may send turns only, and at most once a minute and session. A courtesy: its failures are logged and go no
 * further.
 */
@Injectable()
export class PrewarmRequests {
  private readonly asked = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: SILENT_MS });

  constructor(
    private readonly sessions: SessionAccess,
    private readonly options: OptionChain,
    private readonly processes: ParkedProcessRepository,
    private readonly channel: AheadChannel,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Never throws and never waits. */
  consider(who: Principal, sessionId: string): void {
    if (!this.isFirstOfMinute(`${sessionId} ${who.user.id}`)) return;
    void this.ask(who, sessionId).catch((error: unknown) => {
      // What prevents a turn is reported to the user who sends one.
      if (!(error instanceof ProblemError)) this.log.warn({ err: error, sessionId }, 'session.not_prewarmed');
    });
  }

  private async ask(who: Principal, sessionId: string): Promise<void> {
    const session = await this.sessions.forReading(who, sessionId);
    if (!sessionPolicy.write(who, session)) return;
    if (session.status !== 'idle' || session.mode === 'pipeline') return;
    const { options, persona } = await this.options.resolve(session, {});
    const workerId = isFresh(options) ? null : await this.processes.askAhead(sessionId);
    if (workerId !== null) this.channel.publish(workerId, { sessionId, userId: who.user.id, options, persona });
  }

  private isFirstOfMinute(key: string): boolean {
    if (this.asked.has(key)) return false;
    this.asked.set(key, true);
    return true;
  }
}

function isFresh(options: ResolvedOptions): boolean {
  return options.context?.value === 'fresh';
}
