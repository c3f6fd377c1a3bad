import { Injectable } from '@nestjs/common';
import type { HarnessEvent, HarnessTurn } from '@chirality/contracts';
import { every, metrics } from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import type { ReadEnd } from '../event/session-reader';
import { SessionReaders } from '../event/session-readers';
import { TurnActsService } from '../turn/turn-acts.service';
import { TurnsService } from '../turn/turns.service';
import { HarnessEvents } from './harness-events';
import { optionsOf } from './harness-options';

const HEARTBEAT_MS = 15_000;

const CUT: Record<ReadEnd, { error: string; code: string }> = {
  aborted: { error: 'The stream broke. The turn continues in the session.', code: 'STREAM_CUT' },
  stopping: {
    error: 'The server restarts. The turn continues; read the rest from the session’s events.',
    code: 'STREAM_CUT',
  },
  'signed-out': { error: 'The sign-in or token has ended. The turn continues.', code: 'UNAUTHENTICATED' },
  'no-access': { error: 'You may no longer see this session.', code: 'SESSION_NOT_FOUND' },
};

/** Turns whose answer is their stream. A client that leaves stops nothing: the turn is one of the session. */
@Injectable()
export class HarnessTurnsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly turns: TurnsService,
    private readonly acts: TurnActsService,
    private readonly readers: SessionReaders,
  ) {}

  /** Refusals are problems; once the turn is accepted the answer is its stream. */
  async stream(who: Principal, { sessionId, message, opts }: HarnessTurn, response: Response): Promise<void> {
    this.readers.refuseTooMany(who);
    const { lastEventId } = await this.sessions.forWriting(who, sessionId);
    const body = { message, options: optionsOf(opts), attachments: [] };
    const { turn } = await this.turns.sendNow(who, sessionId, { body, key: undefined, wait: false });
    const stream = new HarnessStream(response, new HarnessEvents(sessionId));
    try {
      const end = await this.readers.readTurn({
        who,
        sessionId,
        turnId: turn.id,
        after: lastEventId,
        signal: stream.left,
        onEvents: (events) => stream.write(events.flatMap((event) => stream.events.of(event))),
      });
      if (end !== 'ended') stream.cut(end);
    } finally {
      stream.end();
    }
  }

  async interrupt(who: Principal, sessionId: string): Promise<{ interrupted: boolean }> {
    const { turn } = await this.acts.interrupt(who, sessionId);
    return { interrupted: turn !== null };
  }
}

/** Server-sent events without names or ids: each is one JSON object. */
class HarnessStream {
  readonly left: AbortSignal;
  private readonly stopHeartbeat: () => void;

  constructor(
    private readonly response: Response,
    readonly events: HarnessEvents,
  ) {
    const leaving = new AbortController();
    this.left = leaving.signal;
    response.once('close', () => leaving.abort());
    response.on('error', () => undefined);
    if (response.destroyed) leaving.abort();
    else
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
    response.flushHeaders();
    metrics.socketsOpen.inc({ transport: 'harness' });
    this.stopHeartbeat = every(HEARTBEAT_MS, () => response.write(': here\n\n'), { background: true });
  }

  write(events: HarnessEvent[]): void | Promise<void> {
    if (events.length === 0 || this.response.destroyed) return;
    if (this.response.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))) return;
    return new Promise((resolve) => {
      const done = () => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.once('drain', done).once('close', done);
    });
  }

  cut(end: ReadEnd): void {
    const { error, code } = CUT[end];
    void this.write(this.events.cut(error, code));
  }

  end(): void {
    this.stopHeartbeat();
    metrics.socketsOpen.dec({ transport: 'harness' });
    this.response.end();
  }
}
