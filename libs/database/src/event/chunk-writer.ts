import { randomBytes } from 'node:crypto';
import type { Envelope } from '@chirality/contracts';
import type { Pool, PoolClient } from 'pg';
import { classifyDatabaseError } from '../connection/database-error';
import { inOneWrite } from '../connection/in-one-write';
import { sentTogether } from '../connection/sent-together';
import { EventLogClosedError } from './append-item';
import { appendGroups, findWrittenAppend, type AppendGroup, type GroupOutcome } from './append-events.sql';
import { Backoff } from './backoff';
import type { Chunk } from './chunk';
import { envelopeOf, pendingEvent, type PendingEvent } from './pending-event';

/** Consecutive chunks of one session and one fence. */
interface Take {
  sessionId: string;
  chunks: Chunk[];
}

interface ChunkWriterOptions {
  pool: Pool;
  clock: () => Date;
  listeners: readonly ((sessionId: string, envelopes: Envelope[]) => void)[];
  /** Aborted when the log gives up what is still unwritten. */
  abandoned: AbortSignal;
}

/**
 * Brings chunks into the log and settles each: written, refused, or failed for what it is. Tries for ever while the
 * server is away, and never writes a chunk twice: whatever is sent again carries the number it was sent with before.
 */
export class ChunkWriter {
  private readonly writer = randomBytes(6).toString('base64url');
  private lastSeq = 0;
  private awaySince: number | null = null;

  constructor(private readonly options: ChunkWriterOptions) {}

  /** Milliseconds for which no write has come through because the server does not answer; 0 while it does. */
  awayMs(): number {
    return this.awaySince === null ? 0 : performance.now() - this.awaySince;
  }

  /** Tells of committed events. */
  publish(sessionId: string, envelopes: Envelope[]): void {
    if (envelopes.length === 0) return;
    for (const listener of this.options.listeners) {
      try {
        listener(sessionId, envelopes);
      } catch {
        // What is committed is committed: a failed hint is repaired by the receivers, who read the log.
      }
    }
  }

  /**
   * Writes plain chunks in one commit. Answers the chunks that are settled; the others' sessions are locked elsewhere.
   */
  async writePlain(takes: Take[]): Promise<Set<Chunk>> {
    const groups = takes.map((take) => this.groupOf(take));
    try {
      const outcomes = await this.appendUntilAnswered(groups);
      return new Set(takes.flatMap((take, index) => this.conclude(take, outcomes[index] as GroupOutcome)));
    } catch (error) {
      const chunks = takes.flatMap((take) => take.chunks);
      if (chunks.length > 1 && !this.options.abandoned.aborted) return this.bisect(takes, chunks.length >> 1);
      for (const chunk of chunks) chunk.fail(error);
      return new Set(chunks);
    }
  }

  /**
   * Runs the chunk's transition and appends in its transaction. Answers false when a lock was in the way and it must be
   * tried again.
   */
  async writeTransition(chunk: Chunk): Promise<boolean> {
    const backoff = new Backoff(this.options.abandoned);
    const seq = this.nextSeq();
    const attempt: TransitionAttempt = { events: chunk.events, commitSent: false };
    while (!this.options.abandoned.aborted) {
      try {
        const done = await this.withClient((client) => this.transact(client, chunk, seq, attempt));
        this.awaySince = null;
        if (done) this.conclude({ sessionId: chunk.sessionId, chunks: [{ ...chunk, events: attempt.events }] }, done);
        else chunk.settle({ appended: false, reason: 'transition_refused' });
        return true;
      } catch (error) {
        const kind = classifyDatabaseError(error);
        if (kind === 'rejected') {
          chunk.fail(error);
          return true;
        }
        this.noteFailure(kind);
        await backoff.wait();
        if (kind === 'contended' && !attempt.commitSent) return false;
      }
    }
    chunk.fail(new EventLogClosedError());
    return true;
  }

  private async transact(
    client: PoolClient,
    chunk: Chunk,
    seq: number,
    attempt: TransitionAttempt,
  ): Promise<GroupOutcome | null> {
    if (attempt.commitSent) {
      const base = await findWrittenAppend(client, this.writer, chunk.sessionId, seq);
      if (base !== null) return { written: true, base };
      attempt.commitSent = false;
    }
    const transition = chunk.transition as NonNullable<Chunk['transition']>;
    const [, verdict] = await inOneWrite(client, () => sentTogether([client.query('BEGIN'), transition(client)]));
    if (verdict === false) {
      await client.query('ROLLBACK');
      return null;
    }
    if (Array.isArray(verdict)) {
      attempt.events = verdict.map((event) => pendingEvent(event, this.options.clock(), performance.now()));
    }
    const { sessionId, fence, raisesFence } = chunk;
    const [outcome] = await appendGroups(
      client,
      this.writer,
      [{ sessionId, fence, raisesFence, seq, events: attempt.events }],
      'wait',
    );
    if (!outcome?.written) {
      await client.query('ROLLBACK');
      return outcome ?? null;
    }
    attempt.commitSent = true;
    await client.query('COMMIT');
    return outcome;
  }

  private async appendUntilAnswered(groups: AppendGroup[]): Promise<GroupOutcome[]> {
    const backoff = new Backoff(this.options.abandoned);
    let whenLocked: 'wait' | 'skip' = 'wait';
    // An earlier try may still hold the lock and commit: it must be waited for, with the same numbers.
    let unsure = false;
    while (!this.options.abandoned.aborted) {
      try {
        const outcomes = await this.withClient((client) => appendGroups(client, this.writer, groups, whenLocked));
        this.awaySince = null;
        return outcomes;
      } catch (error) {
        const kind = classifyDatabaseError(error);
        if (kind === 'rejected') throw error;
        this.noteFailure(kind);
        unsure ||= kind === 'unavailable';
        if (kind === 'contended' && !unsure && whenLocked === 'wait') whenLocked = 'skip';
        else await backoff.wait();
      }
    }
    throw new EventLogClosedError();
  }

  /** Writes the first `half` chunks and then the rest, so that what the server refuses is found and lost alone. */
  private async bisect(takes: Take[], half: number): Promise<Set<Chunk>> {
    const { first, rest } = splitTakes(takes, half);
    const done = await this.writePlain(first);
    const held = new Set(
      first.filter((take) => !take.chunks.every((chunk) => done.has(chunk))).map((take) => take.sessionId),
    );
    const free = rest.filter((take) => !held.has(take.sessionId));
    for (const chunk of free.length > 0 ? await this.writePlain(free) : []) done.add(chunk);
    return done;
  }

  /** Publishes and settles what the outcome decides; answers the settled chunks. */
  private conclude(take: Take, outcome: GroupOutcome): Chunk[] {
    if (!outcome.written) {
      if (outcome.reason === 'locked') return [];
      for (const chunk of take.chunks) chunk.settle({ appended: false, reason: outcome.reason });
      return take.chunks;
    }
    let id = outcome.base;
    const envelopes = take.chunks.map((chunk) => chunk.events.map((event) => envelopeOf(take.sessionId, ++id, event)));
    this.publish(take.sessionId, envelopes.flat());
    take.chunks.forEach((chunk, index) => chunk.settle({ appended: true, events: envelopes[index] as Envelope[] }));
    return take.chunks;
  }

  private async withClient<T>(act: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.options.pool.connect();
    let broken: Error | undefined;
    try {
      return await act(client);
    } catch (error) {
      if (classifyDatabaseError(error) === 'unavailable') broken = error as Error;
      else await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private noteFailure(kind: 'unavailable' | 'contended'): void {
    if (kind === 'unavailable') this.awaySince ??= performance.now();
  }

  private groupOf({ sessionId, chunks }: Take): AppendGroup {
    const { fence, raisesFence } = chunks[0] as Chunk;
    return { sessionId, fence, raisesFence, seq: this.nextSeq(), events: chunks.flatMap((chunk) => chunk.events) };
  }

  /** Microseconds of the wall clock, but always rising: across writers the larger number is roughly the more recent. */
  private nextSeq(): number {
    this.lastSeq = Math.max(this.lastSeq + 1, Date.now() * 1_000);
    return this.lastSeq;
  }
}

interface TransitionAttempt {
  events: PendingEvent[];
  commitSent: boolean;
}

function splitTakes(takes: Take[], half: number): { first: Take[]; rest: Take[] } {
  const first: Take[] = [];
  const rest: Take[] = [];
  let left = half;
  for (const { sessionId, chunks } of takes) {
    const amount = Math.min(left, chunks.length);
    left -= amount;
    if (amount > 0) first.push({ sessionId, chunks: chunks.slice(0, amount) });
    if (amount < chunks.length) rest.push({ sessionId, chunks: chunks.slice(amount) });
  }
  return { first, rest };
}
