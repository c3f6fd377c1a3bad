import { ScriptFailure } from '../script/script-failure';
import { SCRIPT_EXIT } from '../script/script-prelude';
import { NOTHING_TO_COMMIT } from '../act/act-scripts';

const REMEMBERED_MS = 10 * 60_000;

/**
 * A commit that is ordered twice is made once: who asks again while it is being made gets the same answer, and so does
 * who asks again afterwards and would otherwise be refused because nothing is left to commit.
 */
export class RepeatedCommits {
  private readonly running = new Map<string, { order: string; commit: Promise<string> }>();
  private readonly made = new Map<string, { order: string; commit: string; atMs: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  async once(sessionId: string, order: string, make: () => Promise<string>): Promise<string> {
    const running = this.running.get(sessionId);
    if (running?.order === order) return running.commit;
    const commit = this.make(sessionId, order, make);
    this.running.set(sessionId, { order, commit });
    try {
      return await commit;
    } finally {
      if (this.running.get(sessionId)?.commit === commit) this.running.delete(sessionId);
    }
  }

  private async make(sessionId: string, order: string, make: () => Promise<string>): Promise<string> {
    this.forgetOld();
    const before = this.made.get(sessionId);
    try {
      const commit = await make();
      this.made.set(sessionId, { order, commit, atMs: this.now() });
      return commit;
    } catch (error) {
      if (before?.order === order && foundNothing(error)) return before.commit;
      throw error;
    }
  }

  private forgetOld(): void {
    for (const [sessionId, { atMs }] of this.made) if (this.now() - atMs > REMEMBERED_MS) this.made.delete(sessionId);
  }
}

/** Any other refusal is about what would be committed now, and the earlier commit does not hold that. */
function foundNothing(error: unknown): boolean {
  return error instanceof ScriptFailure && error.code === SCRIPT_EXIT.invalid && error.reason === NOTHING_TO_COMMIT;
}
