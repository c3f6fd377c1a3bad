import type { AccessChange } from '@chirality/messaging';
import type { Principal } from '../auth/principal';

/** Something that goes on while its person may: a socket, its place in a session, an event stream. */
export interface WatchedAccess {
  readonly who: Principal;
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
    const concerned = [...this.watched].filter(({ who }) => change.userId === undefined || who.user.id === change.userId);
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
    for (const access of concerned) {
      const { user, familyId } = access.who;
      const key = `${user.id} ${familyId}`;
      const now = people.get(key) ?? this.reload(access.who);
      people.set(key, now);
      await this.checkOne(access, await now);
    }
  }

  private async checkOne(access: WatchedAccess, now: Principal | null): Promise<void> {
    if (!this.watched.has(access)) return;
    if (now === null) return access.end('signed-out');
    access.renew(now);
    const may = await access.still(now);
    // Another check may have ended it meanwhile.
    if (!may && this.watched.has(access)) access.end('no-access');
  }
}

