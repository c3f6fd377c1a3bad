import type { KeyValueStore } from '../../lib/storage';

/** What somebody has written and not sent, per person and session; kept over reloads. */
export class Drafts {
  constructor(
    private readonly store: KeyValueStore,
    private readonly userId: string,
  ) {}

  read(sessionId: string): string {
    return this.store.get(this.keyOf(sessionId)) ?? '';
  }

  write(sessionId: string, text: string): void {
    if (text === '') this.store.remove(this.keyOf(sessionId));
    else this.store.set(this.keyOf(sessionId), text);
  }

  private keyOf(sessionId: string): string {
    return `chirality.draft.${this.userId}.${sessionId}`;
  }
}
