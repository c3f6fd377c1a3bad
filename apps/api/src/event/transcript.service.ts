import { Injectable } from '@nestjs/common';
import { EventRepository } from '@chirality/database';
import { emptyTranscript, foldEvents, type TranscriptState } from '@chirality/domain';
import { RecentMap } from '@chirality/platform';
import type { Principal } from '../auth/principal';
import { SessionAccess } from '../session/session-access';

export type Transcript = { through: number; transcript: TranscriptState };

const PAGE = 500;
const MOST_KEPT = 32;

/** Where a client begins with a long session: everything so far in one answer, to go on from with the events after it. */
@Injectable()
export class TranscriptService {
  private readonly kept = new RecentMap<string, TranscriptState>(MOST_KEPT);
  private readonly folding = new Map<string, Promise<TranscriptState>>();

  constructor(
    private readonly sessions: SessionAccess,
    private readonly events: EventRepository,
  ) {}

  async read(who: Principal, sessionId: string): Promise<Transcript> {
    const { id } = await this.sessions.forReading(who, sessionId);
    const transcript = await this.fold(id);
    return { through: transcript.lastEventId, transcript };
  }

  /** Goes on from what was folded before; several readers at once share one reading of the log. */
  private fold(sessionId: string): Promise<TranscriptState> {
    const running = this.folding.get(sessionId);
    if (running) return running;
    const folding = this.foldToEnd(sessionId).finally(() => this.folding.delete(sessionId));
    this.folding.set(sessionId, folding);
    return folding;
  }

  private async foldToEnd(sessionId: string): Promise<TranscriptState> {
    let state = this.kept.get(sessionId) ?? emptyTranscript();
    for (;;) {
      const page = await this.events.readEvents(sessionId, { after: state.lastEventId, limit: PAGE });
      state = foldEvents(state, page);
      if (page.length < PAGE) break;
    }
    this.kept.set(sessionId, state);
    return state;
  }
}
