import { Observable } from '../state/observable';
import type { KeyValueStore } from '../state/storage';

/** What became of something that a person did in a session, when it is not what they meant or can be undone. */
export type SessionNotice = {
  /** One notice for one thing that was done: a later one takes the place of an earlier one. */
  id: string;
  sessionId: string;
  sessionTitle: string;
  tone: 'info' | 'bad';
  text: string;
  /** What the person had written for it, so that it is not lost. */
  words: string | null;
  /** What can be undone while it is shown. */
  undoes?: 'archive';
};

const KEY = 'chirality.notices';

function restored(store: KeyValueStore): SessionNotice[] {
  try {
    const stored: unknown = JSON.parse(store.get(KEY) ?? '[]');
    return Array.isArray(stored)
      ? (stored as SessionNotice[]).filter(
          (notice) => typeof notice?.id === 'string' && typeof notice.text === 'string',
        )
      : [];
  } catch {
    return [];
  }
}

/** Outcomes that a person has to know of, whichever page they are on by then. They stay until they are dismissed. */
export class SessionNotices {
  readonly entries: Observable<readonly SessionNotice[]>;

  constructor(private readonly store: KeyValueStore) {
    this.entries = new Observable<readonly SessionNotice[]>(restored(store));
  }

  add(notice: SessionNotice): void {
    this.change([...this.entries.get().filter(({ id }) => id !== notice.id), notice]);
  }

  dismiss(id: string): void {
    if (this.entries.get().some((notice) => notice.id === id))
      this.change(this.entries.get().filter((notice) => notice.id !== id));
  }

  /** The person has signed out: the next one must not read them. */
  clear(): void {
    this.change([]);
  }

  private change(entries: readonly SessionNotice[]): void {
    if (entries.length === 0) this.store.remove(KEY);
    else this.store.set(KEY, JSON.stringify(entries));
    this.entries.set(entries);
  }
}
