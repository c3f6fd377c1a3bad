import { createHash } from 'node:crypto';
import { extname, join } from 'node:path';
import type { OutputSchema } from '@chirality/contracts';
import { ProblemError } from '../problem/problem-error';
import { JobThread } from '../thread/job-thread';
import type { Judgement } from './judgement';

/**
 * A schema comes from outside, and so does what is held against it: a pattern can take years, references multiply. Both
 * are given up after this; a schema that is meant well takes a few milliseconds.
 */
const DEADLINE_MS = 1_000;
const MAX_WAITING = 200;
const MAX_WAITING_PER_OWNER = 20;
const MAX_HEAP_MB = 128;
const MAX_KNOWN = 1_000;
const RETRY_MS = 5_000;

/** Judges schemas and answers in a thread: whatever they hold, the loop of the process turns. */
export class SchemaJudge {
  private readonly thread = new JobThread<Judgement, string | null>(
    join(__dirname, `judge-thread${extname(__filename)}`),
    {
      deadlineMs: DEADLINE_MS,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner: MAX_WAITING_PER_OWNER,
      maxHeapMb: MAX_HEAP_MB,
    },
  );
  /** Hashes of schemas that were found good, the oldest first. */
  private readonly known = new Set<string>();

  /**
   * Why that is no JSON schema that the program takes, in one clause; null where it is one. Nothing is fetched.
   * `owner` takes turns with the others. Throws RATE_LIMITED where too many wait.
   */
  async schemaFault(owner: string, schema: OutputSchema): Promise<string | null> {
    const hash = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
    if (this.known.has(hash)) return null;
    const fault = await this.judge(owner, { schema });
    if (fault === null) this.remember(hash);
    return fault;
  }

  /** Why that answer is not what the schema says, in one clause; null where it is. Throws as `schemaFault` does. */
  outputFault(owner: string, schema: OutputSchema, output: unknown): Promise<string | null> {
    return this.judge(owner, { schema, output });
  }

  private async judge(owner: string, judgement: Judgement): Promise<string | null> {
    const end = await this.thread.run(owner, judgement);
    switch (end.type) {
      case 'answered':
        return end.answer;
      case 'too_long':
        return 'it takes too long to check';
      case 'too_large':
        return 'it takes too much memory to check';
      case 'busy':
        throw new ProblemError(
          'RATE_LIMITED',
          'Too many schemas wait to be checked. Send this again in a few seconds.',
          { retryAfterMs: RETRY_MS },
        );
      case 'failed':
        throw new Error(`The thread that checks schemas failed: ${end.reason}`);
    }
  }

  private remember(hash: string): void {
    const [oldest] = this.known;
    if (this.known.size >= MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
    this.known.add(hash);
  }
}
