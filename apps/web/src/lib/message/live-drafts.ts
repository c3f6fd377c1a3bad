import { Draft } from './draft';
import type { Drafts } from './drafts';

/**
 * The drafts of this page: one for each person and session, however often its field is shown and hidden. So an act that
 * is done with the words finds what stands in the field now, and not what stood in one that is gone.
 */
export class LiveDrafts {
  private readonly known = new Map<string, Draft>();

  constructor(private readonly draftsOf: (userId: string) => Drafts) {}

  of(userId: string, sessionId: string): Draft {
    const key = JSON.stringify([userId, sessionId]);
    const draft = this.known.get(key) ?? new Draft(this.draftsOf(userId), sessionId, () => this.roomMade());
    this.known.set(key, draft);
    return draft;
  }

  /** Room was made in the browser's store. A message that is being sent has it first: it is stored before this runs. */
  readonly roomMade = (): void => queueMicrotask(() => this.keep());

  /** What had no room in the browser's store is stored if there is some now. */
  keep(): void {
    for (const draft of this.known.values()) draft.keep();
  }

  /** Whether some of them would be lost with the page. */
  get hasUnkept(): boolean {
    return [...this.known.values()].some((draft) => !draft.isKept.get());
  }
}
