import { Injectable } from '@nestjs/common';
import type { Envelope, Turn } from '@chirality/contracts';
import { TurnRepository } from '@chirality/database';
import { isFinal } from '@chirality/domain';
import type { Draining } from '../core/shutdown';
import { FeedRegistry } from '../event/feed-registry';

/** A caller that may leave before it is answered: the response of a request, or a connection. */
export interface LeavingCaller {
  readonly destroyed: boolean;
  once(event: 'close', act: () => void): unknown;
  off(event: 'close', act: () => void): unknown;
}

/** Waits for turns to end, by the same feed that shows their events. */
@Injectable()
export class TurnWatch implements Draining {
  private readonly waiting = new Set<() => void>();
  private stopping = false;

  constructor(
    private readonly turns: TurnRepository,
    private readonly feeds: FeedRegistry,
  ) {}

  /** The turn once it is final. Not final: the client has gone, the server stops, or `limitMs` is over. */
  async untilFinal(turn: Turn, client?: LeavingCaller, limitMs?: number): Promise<{ turn: Turn; final: boolean }> {
    const feed = await this.feeds.acquire(turn.sessionId);
    try {
      await new Promise<void>((resolve) => {
        const stopListening = feed.subscribe((events) => {
          if (events.some((event) => endsTurn(event, turn.id))) done();
        });
        const timer = limitMs === undefined ? undefined : setTimeout(() => done(), limitMs);
        const done = () => {
          stopListening();
          clearTimeout(timer);
          this.waiting.delete(done);
          client?.off('close', done);
          resolve();
        };
        this.waiting.add(done);
        client?.once('close', done);
        // A client that has gone already does not say so again.
        if (this.stopping || client?.destroyed) return done();
        this.read(turn).then(
          (now) => isFinal(now.status) && done(),
          () => undefined,
        );
      });
      const now = await this.read(turn);
      return { turn: now, final: isFinal(now.status) };
    } finally {
      this.feeds.release(turn.sessionId);
    }
  }

  drain(): void {
    this.stopping = true;
    for (const done of [...this.waiting]) done();
  }

  private async read(turn: Turn): Promise<Turn> {
    return (await this.turns.find(turn.sessionId, turn.id)) ?? turn;
  }
}

function endsTurn(event: Envelope, turnId: string): boolean {
  return event.kind === 'turn:end' && event.turn === turnId;
}
