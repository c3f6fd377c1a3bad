import type { AccessChange } from '@chirality/messaging';
import type { Principal } from '../auth/principal';

/** Something that goes on while its person may: a socket, its place in a session, an event stream. */
export interface WatchedAccess {
  readonly who: Principal;
  /** The session that it is about; null for a connection as such. */
  readonly sessionId: string | null;
  /** Whether it may go on, with the person as they are now; false ends it. */
  still(who: Principal): Promise<boolean>;
  /** The person's rights were read anew. */
  renew(who: Principal): void;
  end(reason: 'signed-out' | 'no-access'): void;
}



const RECHECK_MS = 30_000;
const RECHECK_WITHOUT_BUS_MS = 4_000;

/**
 * Ends what somebody may no longer see. Everything is checked again every 30 seconds, and the part that a change names at
 * once; while changes of other processes cannot be heard, every four seconds.
 */
export class AccessWatch {
  private readonly watched = new Set<WatchedAccess>();
  private readonly timer: NodeJS.Timeout;
  private lastSweepMs = performance.now();
  private sweeping = false;

  constructor(
    private readonly reload: (who: Principal) => Promise<Principal | null>,
    private readonly busIsUp: () => boolean,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => void this.sweepWhenDue(), 1_000).unref();
  }

  watch(access: WatchedAccess): () => void {
    this.watched.add(access);
    return () => this.watched.delete(access);
  }

  /** Checks at once what this change may concern. A change that names nobody concerns everybody. Never rejects. */
  async changed(change: AccessChange): Promise<void> {
    const concerned = [...this.watched].filter((access) => isConcerned(access, change));
    await this.check(concerned).catch((error: unknown) => {
      this.onFailure(error);
      this.lastSweepMs = -Infinity;
    });
  }

  close(): void {
    clearInterval(this.timer);
    this.watched.clear();
  }

  private async sweepWhenDue(): Promise<void> {
    const dueMs = this.busIsUp() ? RECHECK_MS : RECHECK_WITHOUT_BUS_MS;
    if (this.sweeping || performance.now() - this.lastSweepMs < dueMs) return;
    this.sweeping = true;
    try {
      await this.check([...this.watched]);
    } catch (error) {
      this.onFailure(error);
    } finally {
      this.lastSweepMs = performance.now();
      this.sweeping = false;
    }
  }

  private async check(concerned: WatchedAccess[]): Promise<void> {
    const people = new Map<string, Promise<Principal | null>>();
    const rights = new Map<string, Promise<boolean>>();
    for (const access of concerned) {
      const person = `${access.who.user.id} ${access.who.familyId}`;
      const now = await once(people, person, () => this.reload(access.who));
      const may = now !== null && (await once(rights, `${person} ${access.sessionId}`, () => access.still(now)));
      this.conclude(access, now, may);
    }
  }

  private conclude(access: WatchedAccess, now: Principal | null, may: boolean): void {
    // Another check may have ended it meanwhile.
    if (!this.watched.has(access)) return;
    if (now === null) return access.end('signed-out');
    // The token is its own; who the person is and what they may is asked once for all of theirs.
    access.renew({ ...access.who, user: now.user, roles: now.roles });
    if (!may) access.end('no-access');
  }
}

function isConcerned({ who, sessionId }: WatchedAccess, change: AccessChange): boolean {
  return (
    (change.userId === undefined || who.user.id === change.userId) &&
    (change.familyId === undefined || who.familyId === change.familyId) &&
    (change.sessionId === undefined || sessionId === change.sessionId)
  );
}

/** The value of `key`, asked for once in a round however many need it. */
function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? ask();
  known.set(key, value);
  return value;
}

