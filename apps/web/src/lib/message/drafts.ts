import type { KeyValueStore } from '../state/storage';
import { markOf, pastedText, usedIn, type Words } from './pasted-text';

/**
 * What one tab holds of a draft; an empty text is a draft that was deleted or sent there. Pasted texts are named by id
 * and number.
 */
type Stored = { text: string; pasted: [id: string, number: number][]; atMs: number };

/** A tab that has not written for so long has nothing left to lose. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * What a person has written and not sent, by session and by tab, kept over reloads and signing out. A tab never writes
 * over what stands in another; a tab without a draft for a session begins with the latest of the others. The content of
 * a long pasted text is stored once, apart from the text, which is written with every key; tabs share it.
 */
export class Drafts {
  /** Pasted texts that found no room. They are tried again when some was made. */
  private readonly tooLarge = new Set<string>();

  constructor(
    private readonly store: KeyValueStore,
    private readonly userId: string,
    private readonly tabId: string,
    private readonly now: () => number,
  ) {}

  read(sessionId: string): Words {
    const own = this.stored(this.keyOf(sessionId));
    if (own !== null) return this.wordsOf(sessionId, own);
    const latest = this.all(sessionId).toSorted((a, b) => b.atMs - a.atMs)[0];
    return latest === undefined ? { text: '', pasted: [] } : this.wordsOf(sessionId, latest);
  }

  /** Answers whether all of it is kept. */
  write(sessionId: string, words: Words): boolean {
    const used = usedIn(words);
    const stored: Stored = { text: words.text, pasted: used.map(({ id, number }) => [id, number]), atMs: this.now() };
    let isKept = this.store.set(this.keyOf(sessionId), JSON.stringify(stored));
    if (!isKept && words.text === '') {
      // There is nothing to lose, and what stood there before must not come back.
      this.store.remove(this.keyOf(sessionId));
      isKept = true;
    }
    this.forgetUnused(sessionId);
    const known = new Set(this.store.keys(this.contentPrefixOf(sessionId)));
    for (const { id, content } of used) {
      const key = this.contentPrefixOf(sessionId) + id;
      if (known.has(key)) continue;
      if (!this.tooLarge.has(key) && this.store.set(key, content)) continue;
      this.tooLarge.add(key);
      isKept = false;
    }
    return isKept;
  }

  /** There may be room now for pasted texts that found none. */
  tryAgain(): void {
    this.tooLarge.clear();
  }

  /** It was sent from here: it is gone from every tab that holds the same words. */
  sent(sessionId: string, words: Words): void {
    for (const { key, ...other } of this.all(sessionId))
      if (other.text === '' || isSame(other, words)) this.store.remove(key);
    this.write(sessionId, { text: '', pasted: [] });
  }

  /** Whether a tab's stored draft has these words. */
  isStored(words: Words, stored: string): boolean {
    const other = parsed(stored);
    return other !== null && isSame(other, words);
  }

  /** Where this tab's draft of a session is kept. */
  keyOf(sessionId: string): string {
    return `${this.prefixOf(sessionId)}${this.tabId}`;
  }

  private prefixOf(sessionId: string): string {
    return `chirality.draft.${this.userId}.${sessionId}.`;
  }

  private contentPrefixOf(sessionId: string): string {
    return `chirality.pasted.${this.userId}.${sessionId}.`;
  }

  /** The mark of a pasted text that found no room in the store is left out. */
  private wordsOf(sessionId: string, { text, pasted }: Stored): Words {
    const words: Words = { text, pasted: [] };
    return pasted.reduce((sum, [id, number]) => {
      const content = this.store.get(this.contentPrefixOf(sessionId) + id);
      if (content === null) return { ...sum, text: sum.text.replaceAll(markOf({ number }), '') };
      return { ...sum, pasted: [...sum.pasted, pastedText(id, number, content)] };
    }, words);
  }

  private forgetUnused(sessionId: string): void {
    const prefix = this.contentPrefixOf(sessionId);
    const contents = this.store.keys(prefix);
    if (contents.length === 0) return;
    const used = new Set(this.all(sessionId).flatMap(({ pasted }) => pasted.map(([id]) => prefix + id)));
    for (const key of contents) {
      if (used.has(key)) continue;
      this.store.remove(key);
      this.tooLarge.clear();
    }
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
    const stored = parsed(this.store.get(key));
    return stored !== null && this.now() - stored.atMs <= KEPT_MS ? stored : null;
  }
}

function parsed(value: string | null): Stored | null {
  try {
    const { text, pasted, atMs } = JSON.parse(value ?? 'null') as Stored;
    return typeof text === 'string' ? { text, pasted: Array.isArray(pasted) ? pasted : [], atMs } : null;
  } catch {
    return null;
  }
}

function isSame(stored: Stored, words: Words): boolean {
  const ids = usedIn(words).map(({ id }) => id);
  return (
    stored.text === words.text && stored.pasted.length === ids.length && stored.pasted.every(([id]) => ids.includes(id))
  );
}
