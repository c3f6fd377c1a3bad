import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimedTurn } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { SessionDisk } from '../state/session/session-disk';
import type { FileChanges } from '../workspace/snapshot/file-changes';

/** How long a session rests before it is stored. Until then its worker alone takes its next turn. */
const STORE_AFTER_MS = 500;

/** What becomes of a session's files at the end of a turn. */
export class TurnFiles {
  private readonly hurrying = new AbortController();

  constructor(
    private readonly disk: Pick<SessionDisk, 'summariseChanges' | 'keep' | 'release' | 'store'>,
    private readonly log: Logger,
  ) {}

  /** The worker is about to end: from now on nothing is put off. */
  hurry(): void {
    this.hurrying.abort();
  }

  /** Which files changed since the turn began; null when that could not be found out. */
  async summariseChanges({ sessionId }: ClaimedTurn): Promise<FileChanges | null> {
    try {
      return await this.disk.summariseChanges(sessionId);
    } catch (error) {
      this.log.warn({ err: error, session: sessionId }, 'session.changes_unknown');
      return null;
    }
  }

  /** The attempt ended in good order, and what is known of the workspace's files is true. */
  keep({ sessionId, fence }: ClaimedTurn): void {
    this.disk.keep(sessionId, fence);
  }

  /** The attempt is over and leaves nothing to store. */
  release({ sessionId, fence }: ClaimedTurn): void {
    this.disk.release(sessionId, fence);
  }

  /** Stores transcript and workspace. Never rejects. */
  async store(
    { sessionId, fence }: ClaimedTurn,
    facts: { claudeSessionId: string | null; mutated: boolean },
  ): Promise<void> {
    // A person who answers at once should not wait for the store of what is changed again anyway.
    await delay(STORE_AFTER_MS, undefined, { signal: this.hurrying.signal }).catch(() => undefined);
    await this.disk.store({ sessionId, fence, ...facts }).then(
      (outcome) => this.log.debug({ session: sessionId, outcome }, 'session.stored'),
      (error: Error) => this.log.warn({ err: error }, 'session.not_stored'),
    );
  }
}
