import { Observable } from '../../lib/observable';
import { randomId } from '../../lib/random-id';
import type { Drafts } from './drafts';
import { freeNumber, markOf, marksIn, MAX_FIELD_CHARACTERS, messageOf, pastedText, usedIn, wordsOf, type Fold, type PastedText, type Words } from './pasted-text';

/** Writing a long draft to the browser's store takes time, so it waits for a pause; a short one is cheap. */
const LONG_CHARACTERS = 20_000;
const PAUSE_MS = 1_000;

/**
 * The message field's text in one session. What it says is seen by those who draw the field alone; it is stored at once
 * while it is short, and in pauses and when the page is left while it is long. Long pasted texts are kept beside it, and
 * marks in the text stand for them.
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

  constructor(
    private readonly drafts: Drafts,
    readonly sessionId: string,
  ) {
    const { text, pasted } = this.stored();
    this.text = new Observable(text);
    this.pasted = new Observable(pasted);
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
    const content = item.content.replace(/\r\n?/g, '\n');
    const text = this.text.get().split(markOf(item)).join(content);
    this.pasted.set(this.pasted.get().filter((other) => other !== item));
    this.formerPlaces.delete(item.number);
    this.write(text);
  }

  /** Writes a whole message in place of what stands here. */
  replace(message: string): void {
    this.setWords(wordsOf(message, [], this.words, randomId));
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
    this.isKept.set(true);
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
    const { text, pasted } = this.stored();
    if (text === this.text.get()) return;
    this.pasted.set(pasted);
    this.text.set(text);
  }

  /** What is not stored yet is stored now. */
  flush(): void {
    if (this.timer !== undefined) this.store();
  }

  get storeKey(): string {
    return this.drafts.keyOf(this.sessionId);
  }

  private setWords({ text, pasted }: Words): void {
    this.pasted.set(pasted);
    this.text.set(text);
    this.storeSoon();
  }

  private empty(): void {
    this.formerPlaces.clear();
    this.text.set('');
    this.pasted.set([]);
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
    if (this.text.get().length <= LONG_CHARACTERS) return this.store();
    this.timer = setTimeout(() => this.store(), PAUSE_MS);
  }

  private clearTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private store(): void {
    this.clearTimer();
    this.isKept.set(this.drafts.write(this.sessionId, this.words));
  }
}
