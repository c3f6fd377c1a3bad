import { Observable } from '../../lib/observable';
import type { Drafts } from './drafts';

/** Writing a long draft to the browser's store takes time, so it waits for a pause; a short one is cheap. */
const LONG_CHARACTERS = 20_000;
const PAUSE_MS = 1_000;

/**
 * The message field's text in one session. What it says is seen by those who draw the field alone; it is stored at once
 * while it is short, and in pauses and when the page is left while it is long.
 */
export class Draft {
  readonly text: Observable<string>;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly drafts: Drafts,
    readonly sessionId: string,
  ) {
    this.text = new Observable(drafts.read(sessionId));
  }

  write(text: string): void {
    this.text.set(text);
    clearTimeout(this.timer);
    if (text.length <= LONG_CHARACTERS) return this.store();
    this.timer = setTimeout(() => this.store(), PAUSE_MS);
  }

  sent(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.drafts.sent(this.sessionId, this.text.get());
    this.text.set('');
  }

  /** An act with these words is done; what was written in the meantime stays. */
  used(words: string): void {
    if (this.text.get().trim() === words.trim()) this.sent();
  }

  /** Another tab has sent this tab's words. */
  takenElsewhere(words: string): void {
    if (this.text.get() !== words) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.text.set('');
  }

  /** Its field is shown again: what other tabs did to it meanwhile counts, unless something here is not stored yet. */
  reread(): void {
    if (this.timer === undefined) this.text.set(this.drafts.read(this.sessionId));
  }

  /** What is not stored yet is stored now. */
  flush(): void {
    if (this.timer !== undefined) this.store();
  }

  get storeKey(): string {
    return this.drafts.keyOf(this.sessionId);
  }

  private store(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.drafts.write(this.sessionId, this.text.get());
  }
}
