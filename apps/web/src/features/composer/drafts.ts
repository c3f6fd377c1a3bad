import type { KeyValueStore } from '../../lib/storage';

/** What one tab holds of a draft; an empty text is a draft that was deleted or sent there. */
type Stored = { text: string; atMs: number };

/** A tab that has not written for so long has nothing left to lose. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * What a person has written and not sent, by session and by tab, kept over reloads and signing out. A tab never writes
 * over what stands in another; a tab without a draft for a session begins with the latest of the others.
 */
export class Drafts {
  constructor(
    private readonly store: KeyValueStore,
    private readonly userId: string,
    private readonly tabId: string,
    private readonly now: () => number,
  ) {}

  read(sessionId: string): string {
    const own = this.stored(this.keyOf(sessionId));
    if (own !== null) return own.text;
    const latest = this.all(sessionId).toSorted((a, b) => b.atMs - a.atMs)[0];
    return latest?.text ?? '';
  }

  write(sessionId: string, text: string): void {
    this.store.set(this.keyOf(sessionId), JSON.stringify({ text, atMs: this.now() } satisfies Stored));
  }

  /** It was sent from here: it is gone from every tab that holds the same words. */
  sent(sessionId: string, text: string): void {
    for (const { key, text: other } of this.all(sessionId)) if (other === text || other === '') this.store.remove(key);
    this.write(sessionId, '');
  }

  /** Where this tab's draft of a session is kept. */
  keyOf(sessionId: string): string {
    return `${this.prefixOf(sessionId)}${this.tabId}`;
  }

  private prefixOf(sessionId: string): string {
    return `chirality.draft.${this.userId}.${sessionId}.`;
  }

  private all(sessionId: string): (Stored & { key: string })[] {
    return this.store.keys(this.prefixOf(sessionId)).flatMap((key) => {
      const stored = this.stored(key);
      if (stored !== null) return [{ ...stored, key }];
      this.store.remove(key);
      return [];
    });
  }

  private stored(key: string): Stored | null {
    try {
      const { text, atMs } = JSON.parse(this.store.get(key) ?? 'null') as Stored;
      return typeof text === 'string' && this.now() - atMs <= KEPT_MS ? { text, atMs } : null;
    } catch {
      return null;
    }
  }
}
