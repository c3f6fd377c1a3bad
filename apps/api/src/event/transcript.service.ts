import { Injectable } from '@nestjs/common';
import { EventRepository, TranscriptPageRepository, type PageBudget } from '@chirality/database';
import {
  beginEarlierTurns,
  beginTranscriptAt,
  earlierTurnsOf,
  foldEvents,
  type TranscriptState,
  type TurnView,
} from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';

export type NewestTranscript = { through: number; transcript: TranscriptState; earlier: string | null };
export type EarlierTranscript = { through: number; turns: TurnView[]; earlier: string | null };

const PAGE_BUDGET: PageBudget = { events: 2_000, bytes: 1024 * 1024 };
const MAX_READ = 1_000;
/** Of folded transcripts, as JSON. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** A transcript as it was continued last, and how large it was where it began. */
type Kept = { state: TranscriptState; bytes: number; begunBytes: number };

/**
 * Where a client begins with a session: its newest turns, to continue with the events after them and with the turns
 * before them.
 */
@Injectable()
export class TranscriptService {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  private readonly folding = new Map<string, Promise<TranscriptState>>();
  private readonly foldingEarlier = new Map<string, Promise<EarlierTranscript>>();

  constructor(
    private readonly sessions: SessionAccess,
    private readonly events: EventRepository,
    private readonly pages: TranscriptPageRepository,
  ) {}

  async newest(who: Principal, sessionId: string): Promise<NewestTranscript> {
    const { id } = await this.sessions.forReading(who, sessionId);
    const transcript = await this.fold(id);
    return { through: transcript.lastEventId, transcript, earlier: cursorTo(transcript.firstEventId) };
  }

  /** The turns before the event that `before` names, which an earlier answer has given as its `earlier`. */
  async earlier(who: Principal, sessionId: string, before: number): Promise<EarlierTranscript> {
    const { id } = await this.sessions.forReading(who, sessionId);
    if (!(await this.pages.isBegin(id, before)))
      throw new ProblemError(
        'VALIDATION_FAILED',
        'The cursor was not returned by a transcript. Start again without it.',
      );
    return shared(this.foldingEarlier, `${id}/${before}`, () => this.foldEarlier(id, before));
  }

  /**
   * All turns through an event, oldest first, in pages as large as those that a client gets. The caller checks
   * rights.
   */
  async *pagesThrough(sessionId: string, through: number): AsyncGenerator<TurnView[]> {
    const begins: number[] = [];
    for (let end = through + 1; end > 1; end = begins[0] ?? 1)
      begins.unshift(await this.pages.findBegin(sessionId, end, PAGE_BUDGET));
    for (const [index, from] of begins.entries())
      yield await this.turnsBetween(sessionId, from, begins[index + 1] ?? through + 1);
  }

  private async foldEarlier(sessionId: string, before: number): Promise<EarlierTranscript> {
    const from = await this.pages.findBegin(sessionId, before, PAGE_BUDGET);
    // Read first: what is appended meanwhile may be missing from what follows.
    const through = await this.events.lastEventId(sessionId);
    return { through, turns: await this.turnsBetween(sessionId, from, before), earlier: cursorTo(from) };
  }

  /** The turns from the event that one begins with to the one before `end`, with what is said of them later. */
  private async turnsBetween(sessionId: string, from: number, end: number): Promise<TurnView[]> {
    const page = await this.continued(sessionId, beginEarlierTurns(from), end);
    return earlierTurnsOf(page, await this.pages.readOutcomes(sessionId, end)).turns;
  }

  /** Continues what was folded before; several readers at once share one reading of the log. */
  private fold(sessionId: string): Promise<TranscriptState> {
    return shared(this.folding, sessionId, () => this.foldToEnd(sessionId));
  }

  private async foldToEnd(sessionId: string): Promise<TranscriptState> {
    const before = this.kept.get(sessionId);
    if (before === undefined) return this.keepBegun(sessionId);
    const state = await this.continued(sessionId, before.state);
    if (state === before.state) return state;
    const bytes = sizeOf(state);
    if (isTooLong(state, bytes - before.begunBytes)) return this.keepBegun(sessionId);
    this.kept.set(sessionId, { ...before, state, bytes });
    return state;
  }

  private async keepBegun(sessionId: string): Promise<TranscriptState> {
    const state = await this.begin(sessionId);
    const bytes = sizeOf(state);
    this.kept.set(sessionId, { state, bytes, begunBytes: bytes });
    return state;
  }

  /** The transcript before its first shown turn. */
  private async begin(sessionId: string): Promise<TranscriptState> {
    const end = (await this.events.lastEventId(sessionId)) + 1;
    const from = await this.pages.findBegin(sessionId, end, PAGE_BUDGET);
    const [events, spent] = await Promise.all([
      this.pages.readFacts(sessionId, from),
      this.pages.spentBefore(sessionId, from),
    ]);
    return this.continued(sessionId, beginTranscriptAt(from, { events, ...spent }));
  }

  /**
   * With the events that follow, up to the one before `end`. A log has no gaps, so what is left of it gives their
   * number.
   */
  private async continued(
    sessionId: string,
    begun: TranscriptState,
    end = Number.POSITIVE_INFINITY,
  ): Promise<TranscriptState> {
    for (let state = begun; ;) {
      const limit = Math.min(MAX_READ, end - 1 - state.lastEventId);
      const events = limit > 0 ? await this.events.readEvents(sessionId, { after: state.lastEventId, limit }) : [];
      state = foldEvents(state, events);
      if (events.length < MAX_READ) return state;
    }
  }
}

/** Several who ask for the same at once share one answer. */
function shared<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const found = running.get(key);
  if (found) return found;
  const promise = work().finally(() => running.delete(key));
  running.set(key, promise);
  return promise;
}

/** So much has come since the transcript was begun that a later beginning holds enough; one turn is never cut. */
function isTooLong({ firstEventId, lastEventId, turns }: TranscriptState, grownBytes: number): boolean {
  const isGrown = lastEventId - firstEventId >= 2 * PAGE_BUDGET.events || grownBytes >= PAGE_BUDGET.bytes;
  return isGrown && turns.filter(({ kind }) => kind !== 'system').length > 1;
}

function sizeOf(state: TranscriptState): number {
  return Buffer.byteLength(JSON.stringify(state));
}

function cursorTo(firstEventId: number): string | null {
  return firstEventId === 1 ? null : String(firstEventId);
}
