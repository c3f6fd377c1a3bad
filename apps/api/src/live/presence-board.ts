import { isDeepStrictEqual } from 'node:util';
import type { PresencePerson } from '@chirality/contracts';
import { every } from '@chirality/platform';

export type PresenceRow = {
  clientId: string;
  /** Null: the app is open, whatever it shows. */
  sessionId: string | null;
  userId: string;
  userName: string;
  human: boolean;
};

/** Rows with a lease: a connection that is not renewed disappears after 15 seconds, on every node. */
export interface PresenceStore {
  put(row: PresenceRow & { typingUntil: Date | null }, leaseMs: number): Promise<void>;
  renew(clientIds: string[], leaseMs: number): Promise<void>;
  remove(clientIds: string[]): Promise<void>;
  peopleOf(sessionIds: string[]): Promise<Map<string, PresencePerson[]>>;
}

const PRESENCE_LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const TYPING_MS = 6_000;

/**
 * Who watches which session, as rows that the nodes share. A change is announced here at once, and to the other nodes,
 * which read the rows then; what they do not hear they find within five seconds. Presence is a courtesy: its failures
 * are reported and never reach the caller.
 */
export class PresenceBoard {
  private readonly rows = new Map<string, PresenceRow>();
  private readonly told = new Map<string, PresencePerson[]>();
  private readonly stopRenewing: () => void;
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: PresenceStore,
    private readonly tell: (sessionId: string, people: PresencePerson[]) => void,
    private readonly onFailure: (error: unknown) => void,
    private readonly announce: (sessionId: string) => void = () => undefined,
  ) {
    this.stopRenewing = every(RENEW_MS, () => this.queue(() => this.renewAll()), { background: true });
  }

  /** Another node announced a change. */
  heard(sessionId: string): void {
    if (![...this.rows.values()].some((row) => row.sessionId === sessionId)) return;
    this.queue(() => this.tellChanges([sessionId]));
  }

  arrive(row: PresenceRow): void {
    this.rows.set(row.clientId, row);
    this.queue(async () => {
      await this.store.put({ ...row, typingUntil: null }, PRESENCE_LEASE_MS);
      if (row.sessionId === null) return;
      this.told.delete(row.sessionId);
      this.announce(row.sessionId);
      await this.tellChanges([row.sessionId]);
    });
  }

  type(clientId: string, typing: boolean): void {
    const row = this.rows.get(clientId);
    if (!row) return;
    const typingUntil = typing ? new Date(Date.now() + TYPING_MS) : null;
    this.queue(async () => {
      await this.store.put({ ...row, typingUntil }, PRESENCE_LEASE_MS);
      for (const session of sessionsOf([row])) this.announce(session);
      await this.tellChanges(sessionsOf([row]));
    });
  }

  leave(clientId: string): void {
    const row = this.rows.get(clientId);
    if (!row) return;
    this.rows.delete(clientId);
    this.queue(async () => {
      await this.store.remove([clientId]);
      for (const session of sessionsOf([row])) this.announce(session);
      await this.tellChanges(sessionsOf([row]));
    });
  }

  /** Removes the presence of all this process's connections; settles when the rows are gone or could not be removed. */
  async close(): Promise<void> {
    this.stopRenewing();
    const everyone = [...this.rows.keys()];
    this.rows.clear();
    this.queue(() => this.store.remove(everyone));
    await this.work;
  }

  private queue(act: () => Promise<void>): void {
    this.work = this.work.then(act).catch(this.onFailure);
  }

  private async renewAll(): Promise<void> {
    if (this.rows.size === 0) return this.told.clear();
    await this.store.renew([...this.rows.keys()], PRESENCE_LEASE_MS);
    await this.tellChanges(sessionsOf(this.rows.values()));
  }

  private async tellChanges(sessionIds: string[]): Promise<void> {
    const people = await this.store.peopleOf(sessionIds);
    for (const sessionId of sessionIds) {
      const now = people.get(sessionId) ?? [];
      if (isDeepStrictEqual(now, this.told.get(sessionId))) continue;
      this.told.set(sessionId, now);
      this.tell(sessionId, now);
    }
  }
}

function sessionsOf(rows: Iterable<PresenceRow>): string[] {
  return [...new Set([...rows].flatMap(({ sessionId }) => sessionId ?? []))];
}
