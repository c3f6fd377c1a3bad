import { Injectable } from '@nestjs/common';
import type { CreateTurn, Page, Turn } from '@chirality/contracts';
import { TurnRepository } from '@chirality/database';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { knownId } from '../core/http/known-id';
import { cursorOf } from '../core/http/validate';
import { problems } from '../core/problem/problems';
import { idempotencyKeyOf, refuseUnfitMessage } from './message-rules';
import { fitOutputSchema } from './output-schema-rules';
import { TurnAcceptance } from './turn-acceptance';
import { TurnWatch, type LeavingCaller } from './turn-watch';

type SendRequest = { body: CreateTurn; key: string | undefined; wait: boolean };

@Injectable()
export class TurnsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly turns: TurnRepository,
    private readonly acceptance: TurnAcceptance,
    private readonly watch: TurnWatch,
  ) {}

  /**
   * The turn as accepted or, with `wait`, once it is final: not when the server stops, or the caller leaves, before
   * that.
   */
  async send(
    who: Principal,
    sessionId: string,
    { body, key, wait }: SendRequest,
    caller?: LeavingCaller,
  ): Promise<{ turn: Turn; final: boolean }> {
    const session = await this.sessions.forWriting(who, sessionId);
    const attachments = [...new Set(body.attachments)];
    refuseUnfitMessage(body.message, attachments);
    const turn = await this.acceptance.accept(who, session, {
      kind: 'message',
      message: body.message,
      attachments,
      outputSchema: fitOutputSchema(body.outputSchema),
      options: body.options,
      key: idempotencyKeyOf(key),
    });
    return wait ? this.watch.untilFinal(turn, caller) : { turn, final: false };
  }

  async compact(who: Principal, sessionId: string, key: string | undefined): Promise<{ turn: Turn }> {
    const session = await this.sessions.forWriting(who, sessionId);
    return {
      turn: await this.acceptance.accept(who, session, {
        kind: 'compact',
        message: '/compact',
        options: {},
        key: idempotencyKeyOf(key),
      }),
    };
  }

  async list(
    who: Principal,
    sessionId: string,
    query: { cursor?: string | undefined; limit: number },
  ): Promise<Page<Turn>> {
    const session = await this.sessions.forReading(who, sessionId);
    return this.turns.list(session.id, { ...cursorOf(query), limit: query.limit });
  }

  async get(who: Principal, sessionId: string, turnId: string): Promise<Turn> {
    const session = await this.sessions.forReading(who, sessionId);
    const turn = await this.turns.find(session.id, knownId('turn', turnId));
    if (!turn) throw problems.notFound('turn');
    return turn;
  }
}
