import { Injectable } from '@nestjs/common';
import type { Envelope } from '@chirality/contracts';
import { EventRepository, TranscriptPageRepository, type PageBudget } from '@chirality/database';
import { beginTranscriptAt, foldEarlierTurns, foldEvents, type TranscriptState, type TurnView } from '@chirality/domain';
import { ProblemError, RecentMap } from '@chirality/platform';
import type { Principal } from '../auth/principal';
import { SessionAccess } from '../session/session-access';

export type NewestTranscript = { through: number; transcript: TranscriptState; earlier: string | null };
export type EarlierTranscript = { through: number; turns: TurnView[]; earlier: string | null };

const PAGE_BUDGET: PageBudget = { events: 2_000, bytes: 1024 * 1024 };
const MAX_READ = 1_000;
/** Of folded transcripts, as JSON. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

type Kept = { state: TranscriptState; bytes: number };

/** Where a client begins with a session: its newest turns, to continue with the events after them and with the turns before them. */
@Injectable()
export class TranscriptService {
  private readonly kept = new RecentMap<string, Kept>(MAX_KEPT_BYTES, ({ bytes }) => bytes);
  private readonly folding = new Map<string, Promise<TranscriptState>>();

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
    if (!(await this.pages.isBegin(id, before))) throw new ProblemError('VALIDATION_FAILED', 'The cursor is none that a transcript has answered. Begin again without it.');
    const from = await this.pages.findBegin(id, before, PAGE_BUDGET);
    // Read first: what is appended meanwhile may be missing from what follows.
    const through = await this.events.lastEventId(id);
    const own: Envelope[] = [];
    await this.read(id, from, before, (events) => own.push(...events));
    const { turns } = foldEarlierTurns(from, own, await this.pages.readOutcomes(id, before));
    return { through, turns, earlier: cursorTo(from) };
  }

  /** Continues what was folded before; several readers at once share one reading of the log. */
  private fold(sessionId: string): Promise<TranscriptState> {
    const running = this.folding.get(sessionId);
    if (running) return running;
    const folding = this.foldToEnd(sessionId).finally(() => this.folding.delete(sessionId));
    this.folding.set(sessionId, folding);
    return folding;
  }

  private async foldToEnd(sessionId: string): Promise<TranscriptState> {
    const before = this.kept.get(sessionId);
    let state = before === undefined ? await this.begin(sessionId) : await this.continued(sessionId, before.state);
    if (before !== undefined && isTooLong(state)) state = await this.begin(sessionId);
    if (state !== before?.state) this.kept.set(sessionId, { state, bytes: Buffer.byteLength(JSON.stringify(state)) });
    return state;
  }

  /** The transcript before its first shown turn. */
  private async begin(sessionId: string): Promise<TranscriptState> {
    const end = (await this.events.lastEventId(sessionId)) + 1;
    const from = await this.pages.findBegin(sessionId, end, PAGE_BUDGET);
    const [events, spent] = await Promise.all([this.pages.readFacts(sessionId, from), this.pages.spentBefore(sessionId, from)]);
    return this.continued(sessionId, beginTranscriptAt(from, { events, ...spent }));
  }

  private async continued(sessionId: string, begun: TranscriptState): Promise<TranscriptState> {
    let state = begun;
    await this.read(sessionId, state.lastEventId + 1, undefined, (events) => {
      state = foldEvents(state, events);
    });
    return state;
  }

  private async read(sessionId: string, from: number, before: number | undefined, take: (events: Envelope[]) => void): Promise<void> {
    for (let after = from - 1; ; ) {
      const events = await this.events.readEvents(sessionId, { after, ...(before === undefined ? {} : { before }), limit: MAX_READ });
      take(events);
      if (events.length < MAX_READ) return;
      after = events.at(-1)!.id;
    }
  }
}

/** So much has come since the transcript was begun that a later beginning holds enough; one turn is never cut. */
function isTooLong({ firstEventId, lastEventId, turns }: TranscriptState): boolean {
  return lastEventId - firstEventId >= 2 * PAGE_BUDGET.events && turns.filter(({ kind }) => kind !== 'system').length > 1;
}

function cursorTo(firstEventId: number): string | null {
  return firstEventId === 1 ? null : String(firstEventId);
}
