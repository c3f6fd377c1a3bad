import { Observable } from '../state/observable';
import { randomId } from '../state/random-id';
import type { Drafts } from './drafts';
import {
  freeNumber,
  markOf,
  marksIn,
  MAX_FIELD_CHARACTERS,
  messageOf,
  pastedText,
  usedIn,
  withoutMarks,
  wordsOf,
  type Fold,
  type PastedText,
  type Words,
} from './pasted-text';

/** Writing a long draft to the browser's store takes time, so it waits for a pause; a short one is cheap. */
const LONG_CHARACTERS = 20_000;
const PAUSE_MS = 1_000;
/** So much less of a draft is room worth trying for what had none; less than that would be tried with each key. */
const ROOM_CHARACTERS = 1_000;

/**
 * The message field's text in one session. What it says is seen by those who draw the field alone; it is stored at once
 * while it is short, and in pauses and when the page is left while it is long. Long pasted texts are kept beside it,
 * and marks in the text stand for them.
 */
export class Draft {
  readonly text: Observable<string>;
  /** Those too whose mark was deleted, so that they can be put back until the message is sent. */
  readonly pasted: Observable<readonly PastedText[]>;
  /** False while the browser's store has no room for all of it: it would be lost with the page. */
  readonly isKept = new Observable(true);
  /** Where marks stood that were deleted, by number, the last deleted at the end. */
  private readonly formerPlaces = new Map<number, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private storedCharacters = 0;

  constructor(
    private readonly drafts: Drafts,
    readonly sessionId: string,
    /** Called when it takes less room in the browser's store than before. */
    private readonly onRoom: () => void = () => undefined,
  ) {
    const { text, pasted } = this.stored();
    this.text = new Observable(text);
    this.pasted = new Observable(pasted);
    this.storedCharacters = charactersOf(this.words);
  }

  get words(): Words {
    return { text: this.text.get(), pasted: this.pasted.get() };
  }

  write(text: string): void {
    this.text.set(this.withoutDeleted(text));
    this.storeSoon();
  }

  /** Takes a pasted text over; answers the mark to write for it. */
  paste(content: string): string {
    const item = pastedText(randomId(), freeNumber(this.words), content);
    this.pasted.set([...this.pasted.get(), item]);
    return markOf(item);
  }

  remove(item: PastedText): void {
    this.write(this.text.get().replaceAll(markOf(item), ''));
  }

  /** The pasted text that was deleted last, if it is not part of the message any longer. */
  get lastRemoved(): PastedText | null {
    const used = usedIn(this.words);
    const number = [...this.formerPlaces.keys()].findLast((key) => !used.some((item) => item.number === key));
    return this.pasted.get().find((item) => item.number === number) ?? null;
  }

  putBack(item: PastedText): void {
    const text = this.text.get();
    const at = Math.min(this.formerPlaces.get(item.number) ?? text.length, text.length);
    this.write(text.slice(0, at) + markOf(item) + text.slice(at));
  }

  /** Makes a pasted text a part of the field's text, where it can be changed. */
  unfold(item: PastedText): void {
    // A field knows no other line ends.
    const content = withoutMarks(item.content.replace(/\r\n?/g, '\n'));
    const text = this.text.get().split(markOf(item)).join(content);
    this.pasted.set(this.pasted.get().filter((other) => other !== item));
    this.formerPlaces.delete(item.number);
    this.write(text);
  }

  /** Writes a whole message in place of what stands here. What was removed can still be put back. */
  replace(message: string): void {
    const used = usedIn(this.words);
    const removed = this.pasted.get().filter((item) => !used.includes(item));
    for (const { number } of used) this.formerPlaces.delete(number);
    const given = wordsOf(message, [], { text: '', pasted: removed }, randomId);
    this.setWords({ text: given.text, pasted: [...removed, ...given.pasted] });
  }

  /** Gives a message back to be changed. What was written meanwhile stands below it. */
  giveBack(message: string, folds: readonly Fold[] = []): void {
    const { text, pasted } = this.words;
    const given = wordsOf(message, folds, this.words, randomId);
    this.setWords({
      text: text.trim() === '' ? given.text : `${given.text}\n\n${text}`,
      pasted: [...pasted, ...given.pasted],
    });
  }

  sent(): void {
    this.clearTimer();
    this.drafts.sent(this.sessionId, this.words);
    this.empty();
    this.onRoom();
  }

  /** An act with these words is done; what was written in the meantime stays. */
  used(message: string): void {
    if (messageOf(this.words).message.trim() === message.trim()) this.sent();
  }

  /** Another tab has sent this tab's words. */
  takenElsewhere(stored: string): void {
    if (!this.drafts.isStored(this.words, stored)) return;
    this.clearTimer();
    this.empty();
  }

  /** Its field is shown again: what other tabs did to it meanwhile counts, unless something here is not stored. */
  reread(): void {
    if (this.timer !== undefined || !this.isKept.get()) return;
    const stored = this.stored();
    const { text, pasted } = stored;
    if (isSame(stored, this.words)) return;
    this.formerPlaces.clear();
    this.pasted.set(pasted);
    this.text.set(text);
  }

  /** There may be room now for what had none. */
  keep(): void {
    if (!this.isKept.get()) this.storeAgain();
  }

  /** What is not stored yet is stored now. */
  flush(): void {
    if (this.timer !== undefined) this.storeAgain();
  }

  get storeKey(): string {
    return this.drafts.keyOf(this.sessionId);
  }

  private setWords({ text, pasted }: Words): void {
    // The places were those of another text: what is put back stands at the end.
    for (const number of this.formerPlaces.keys()) this.formerPlaces.set(number, Infinity);
    this.pasted.set(pasted);
    this.text.set(text);
    this.storeSoon();
  }

  private empty(): void {
    this.formerPlaces.clear();
    this.text.set('');
    this.pasted.set([]);
    this.storedCharacters = 0;
    this.isKept.set(true);
  }

  /** Notes which marks are not in the next text, and where they stood. */
  private withoutDeleted(next: string): string {
    const before = this.words;
    let text = next;
    for (const item of usedIn(before)) {
      const mark = markOf(item);
      if (text.includes(mark)) continue;
      const at = before.text.indexOf(mark);
      this.formerPlaces.delete(item.number);
      this.formerPlaces.set(item.number, at);
      // Keyboards on a screen delete a character without a key that says so: the mark goes as a whole there too.
      const rest = mark.slice(0, -1);
      const isOther = marksIn({ ...before, text }).some(({ from }) => from === at);
      if (!isOther && text.startsWith(rest, at)) text = text.slice(0, at) + text.slice(at + rest.length);
    }
    return text;
  }

  private stored(): Words {
    const words = this.drafts.read(this.sessionId);
    if (words.text.length <= MAX_FIELD_CHARACTERS) return words;
    const { message, folds } = messageOf(words);
    return folds.length > 0 ? words : wordsOf(message, [], { text: '', pasted: [] }, randomId);
  }

  private storeSoon(): void {
    clearTimeout(this.timer);
    if (this.text.get().length > LONG_CHARACTERS) {
      this.timer = setTimeout(() => this.storeAgain(), PAUSE_MS);
      return;
    }
    this.store();
    if (!this.isKept.get()) this.timer = setTimeout(() => this.storeAgain(), PAUSE_MS);
  }

  private storeAgain(): void {
    this.drafts.tryAgain();
    this.store();
  }

  private clearTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private store(): void {
    this.clearTimer();
    this.isKept.set(this.drafts.write(this.sessionId, this.words));
    const before = this.storedCharacters;
    this.storedCharacters = charactersOf(this.words);
    if (before - this.storedCharacters >= ROOM_CHARACTERS) this.onRoom();
  }
}

function charactersOf(words: Words): number {
  return usedIn(words).reduce((sum, { content }) => sum + content.length, words.text.length);
}

function isSame(one: Words, other: Words): boolean {
  const [ids, others] = [usedIn(one), usedIn(other)].map((used) => used.map(({ id }) => id).join());
  return one.text === other.text && ids === others;
}
