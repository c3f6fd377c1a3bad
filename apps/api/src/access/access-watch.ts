import type { AccessChange } from '@chirality/contracts';
import { every } from '@chirality/platform';
import type { Principal } from './principal';

/** What a user may do in what they have open, beside reading it. */
export type OpenRights = { mayAnswer: boolean };

/** Something that stays open while its person may: a socket, its place in a session, an event stream. */
export interface WatchedAccess {
  readonly who: Principal;
  /** The session that it is about; null for a connection as such. */
  readonly sessionId: string | null;
  /** What the person, as they are now, may still do in it; null ends it. */
  still(who: Principal): Promise<OpenRights | null>;
  /** The person's rights were read again. */
  renew(who: Principal, rights: OpenRights): void;
  end(reason: 'signed-out' | 'no-access'): void;
}

const LOOK_MS = 1_000;
const RECHECK_MS = 30_000;
const RECHECK_WITHOUT_BUS_MS = 4_000;

/**
 * Ends what a user may no longer see. Everything is checked again every 30 seconds, and the part that a change names at
 * once; while changes of other processes cannot be heard, every four seconds. What is new is checked within a second: a
 * change that was announced after it was let in and before it was watched has not named it.
 */
export class AccessWatch {
  private readonly watched = new Set<WatchedAccess>();
  private readonly unchecked = new Set<WatchedAccess>();
  /** The latest round that concluded each: an earlier one that takes longer knows less. */
  private readonly concludedBy = new WeakMap<WatchedAccess, number>();
  private rounds = 0;
  private readonly stopSweeping: () => void;
  private lastSweepMs = performance.now();

  constructor(
    private readonly reload: (who: Principal) => Promise<Principal | null>,
    private readonly busIsUp: () => boolean,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.stopSweeping = every(LOOK_MS, () => this.sweepWhenDue(), { background: true });
  }

  watch(access: WatchedAccess): () => void {
    this.watched.add(access);
    this.unchecked.add(access);
    return () => {
      this.watched.delete(access);
      this.unchecked.delete(access);
    };
  }

  /** Checks at once what this change may concern. A change that names no user concerns all. Never rejects. */
  async changed(change: AccessChange): Promise<void> {
    const concerned = [...this.watched].filter((access) => isConcerned(access, change));
    await this.check(concerned).catch((error: unknown) => {
      this.onFailure(error);
      this.lastSweepMs = -Infinity;
    });
  }

  close(): void {
    this.stopSweeping();
    this.watched.clear();
    this.unchecked.clear();
  }

  private async sweepWhenDue(): Promise<void> {
    const dueMs = this.busIsUp() ? RECHECK_MS : RECHECK_WITHOUT_BUS_MS;
    const isDue = performance.now() - this.lastSweepMs >= dueMs;
    // That a token was revoked is known within a second everywhere, without the bus too.
    if (!isDue && !this.busIsUp())
      for (const access of this.watched) if (access.who.token !== undefined) this.unchecked.add(access);
    if (!isDue && this.unchecked.size === 0) return;
    const concerned = [...(isDue ? this.watched : this.unchecked)];
    this.unchecked.clear();
    try {
      await this.check(concerned);
    } catch (error) {
      this.onFailure(error);
      for (const access of concerned) if (this.watched.has(access)) this.unchecked.add(access);
    } finally {
      if (isDue) this.lastSweepMs = performance.now();
    }
  }

  private async check(concerned: WatchedAccess[]): Promise<void> {
    const round = ++this.rounds;
    const people = new Map<string, Promise<Principal | null>>();
    const rights = new Map<string, Promise<OpenRights | null>>();
    for (const access of concerned) {
      const person = `${access.who.user.id} ${access.who.familyId}`;
      const now = await once(people, person, () => this.reload(access.who));
      const may = now && (await once(rights, `${person} ${access.sessionId}`, () => access.still(now)));
      if ((this.concludedBy.get(access) ?? 0) > round) continue;
      this.concludedBy.set(access, round);
      this.conclude(access, now, may);
    }
  }

  private conclude(access: WatchedAccess, now: Principal | null, rights: OpenRights | null): void {
    // Another check may have ended it meanwhile.
    if (!this.watched.has(access)) return;
    if (now === null) return access.end('signed-out');
    if (rights === null) return access.end('no-access');
    // The token is its own; who the person is and what they may is asked once for all of theirs.
    access.renew({ ...access.who, user: now.user, roles: now.roles, projectRoles: now.projectRoles }, rights);
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
