import { TranscriptStore, type StoreParts } from './transcript-store';

/** How many transcripts are kept for coming back to, besides the one on screen. */
const KEPT = 6;

/** The transcripts of this page, by session, the least recent forgotten first. */
export class TranscriptStores {
  private readonly stores = new Map<string, TranscriptStore>();

  constructor(private readonly parts: StoreParts) {}

  of(sessionId: string): TranscriptStore {
    const store = this.stores.get(sessionId) ?? new TranscriptStore(sessionId, this.parts);
    this.stores.delete(sessionId);
    this.stores.set(sessionId, store);
    for (const [id, other] of this.stores) {
      if (this.stores.size <= KEPT) break;
      if (!other.isWatched && other !== store) this.stores.delete(id);
    }
    return store;
  }

  clear(): void {
    this.stores.clear();
  }
}
