import type { KeyValueStore } from '../state/storage';

/** What a person has chosen and written on a card and not sent. */
export type AnswerDraft = {
  /** The reason of a denial. */
  reason: string;
  /** The labels that are ticked, by question. */
  chosen: Record<string, string[]>;
  /** Own words, by question; they count only where `isOwn` says so. */
  written: Record<string, string>;
  isOwn: Record<string, boolean>;
};

export const EMPTY_DRAFT: AnswerDraft = { reason: '', chosen: {}, written: {}, isOwn: {} };

/** A request does not wait longer than this, so neither does what was written for it. */
const KEPT_MS = 7 * 24 * 3_600_000;

type Stored = AnswerDraft & { atMs: number };

/** Drafts of answers by request, kept over reloads until the request is settled. */
export class AnswerDrafts {
  constructor(
    private readonly store: KeyValueStore,
    private readonly userId: string,
    private readonly now: () => number,
  ) {
    for (const key of store.keys(this.prefix)) if (this.stored(key) === null) store.remove(key);
  }

  read(permissionId: string): AnswerDraft {
    return this.stored(this.prefix + permissionId) ?? EMPTY_DRAFT;
  }

  write(permissionId: string, draft: AnswerDraft): void {
    this.store.set(this.prefix + permissionId, JSON.stringify({ ...draft, atMs: this.now() } satisfies Stored));
  }

  forget(permissionId: string): void {
    this.store.remove(this.prefix + permissionId);
  }

  private get prefix(): string {
    return `chirality.answer.${this.userId}.`;
  }

  private stored(key: string): AnswerDraft | null {
    try {
      const { atMs, reason, chosen, written, isOwn } = JSON.parse(this.store.get(key) ?? 'null') as Stored;
      return this.now() - atMs > KEPT_MS || typeof reason !== 'string' ? null : { reason, chosen, written, isOwn };
    } catch {
      return null;
    }
  }
}

/** What was written by hand, to give it back to a person whose answer was not used; null when there is nothing. */
export function wordsOf({ reason, written }: AnswerDraft): string | null {
  const words = [reason, ...Object.values(written)].map((text) => text.trim()).filter((text) => text !== '');
  return words.length === 0 ? null : words.join('\n\n');
}
