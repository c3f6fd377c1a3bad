import { extname, join } from 'node:path';
import { JobThread } from '@chirality/platform';

/**
 * Of one answer that is set as Markdown; a longer one stays as it was written. Ordinary text of this length takes a
 * fraction of a second, 5 KB that nest lists 4 s, and 20 KB of them minutes.
 */
const MAX_MARKDOWN_CHARS = 20_000;
const DEADLINE_MS = 1_000;
const MAX_WAITING = 200;
const MAX_HEAP_MB = 256;

/** An export with so many answers that take too long is written to cost time: the others stay as they were written. */
const MAX_GIVEN_UP = 5;

/** Sets Markdown in a thread that all exports share; the loop that serves others turns meanwhile. */
export class MarkdownSetter {
  private readonly thread = new JobThread<string, string>(join(__dirname, `markdown-thread${extname(__filename)}`), {
    deadlineMs: DEADLINE_MS,
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: MAX_WAITING,
    maxHeapMb: MAX_HEAP_MB,
  });

  /** For one export of that person: HTML without any HTML of the text, or null where the text is to stay as it is. */
  forExport(userId: string): (text: string) => Promise<string | null> {
    let givenUp = 0;
    return async (text) => {
      if (text.length > MAX_MARKDOWN_CHARS || givenUp >= MAX_GIVEN_UP) return null;
      const end = await this.thread.run(userId, text);
      if (end.type === 'answered') return end.answer;
      givenUp += 1;
      return null;
    };
  }
}
