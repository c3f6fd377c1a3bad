import type { Envelope } from '@chirality/contracts';

/** The events that a viewer has, 1..n without a gap, and the same as canonical JSON, to be compared byte for byte. */
export class SeenEvents {
  readonly all: Envelope[] = [];
  readonly bytes: string[] = [];
  /** Events that came a second time and were not what came first; must stay empty. */
  readonly changed: string[] = [];

  get last(): number {
    return this.all.length;
  }

  /** Takes a page that repeats what is known or continues right after it; false when something is missing before it. */
  take(events: readonly Envelope[]): boolean {
    for (const event of events) {
      if (event.id > this.last + 1) return false;
      const bytes = JSON.stringify(event);
      if (event.id <= this.last) {
        if (this.bytes[event.id - 1] !== bytes) this.changed.push(bytes);
        continue;
      }
      this.all.push(event);
      this.bytes.push(bytes);
    }
    return true;
  }
}
