/**
 * A card is not answered sooner after its appearance: no one has read it by then, and the press was meant for what
 * stood there before.
 */
export const UNANSWERABLE_MS = 600;
/**
 * What a press does is reported this soon after its end: on touch screens the click comes later than the pointer's end.
 */
const REPORTED_MS = 500;

type Press = { isInside: boolean; atMs: number; endedAtMs: number | null };

/**
 * Tells presses that are meant for a card from those that only land on it: a press counts when it began on this very
 * card, and not before the card had been in sight for a moment. Times are of one monotonic clock.
 */
export class PressGuard {
  private last: Press | null = null;

  constructor(private readonly appearedAtMs: number) {}

  /** A pointer or key went down somewhere on the page. A key that repeats while it is held begins nothing. */
  began(isInside: boolean, atMs: number): void {
    this.last = { isInside, atMs, endedAtMs: null };
  }

  ended(atMs: number): void {
    if (this.last !== null) this.last = { ...this.last, endedAtMs: atMs };
  }

  isAnswerable(nowMs: number): boolean {
    return nowMs - this.appearedAtMs >= UNANSWERABLE_MS;
  }

  /**
   * Whether the act that is reported now may answer. Without a press that led to it, as from assistive technology, time
   * alone decides.
   */
  mayAnswer(nowMs: number): boolean {
    if (!this.isAnswerable(nowMs)) return false;
    if (this.last === null || (this.last.endedAtMs !== null && nowMs - this.last.endedAtMs > REPORTED_MS)) return true;
    return this.last.isInside && this.isAnswerable(this.last.atMs);
  }
}
