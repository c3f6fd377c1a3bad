import { Injectable } from '@nestjs/common';
import type { CreateTurn, Page, QueueItem, Session, Turn } from '@chirality/contracts';
import { TurnRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { knownId } from '../core/http/known-id';
import { cursorOf } from '../core/http/validate';
import { problems } from '../core/problem/problems';
import { idempotencyKeyOf, refuseUnfitMessage } from './message-rules';
import { fitOutputSchema } from './output-schema-rules';
import { TurnAcceptance, type TurnRequest } from './turn-acceptance';
import { TurnQueueing } from './turn-queueing';
import { TurnWatch, type LeavingCaller } from './turn-watch';

type SendRequest = { body: CreateTurn; key: string | undefined; wait: boolean };
/** `final`: the turn has ended. */
type Sent = { turn: Turn; final: boolean } | { item: QueueItem };

/** What a message may wait for. */
const BUSY: readonly string[] = ['TURN_IN_PROGRESS', 'BOOT_IN_PROGRESS'];
const ATTEMPTS = 5;

@Injectable()
export class TurnsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly turns: TurnRepository,
    private readonly acceptance: TurnAcceptance,
    private readonly queueing: TurnQueueing,
    private readonly watch: TurnWatch,
  ) {}

  /**
   * The turn as accepted or, with `wait`, once it is final: not when the server stops, or the caller leaves, before
   * that. Where another turn is in its way and the request says so, the message as it waits.
   */
  async send(
    who: Principal,
    sessionId: string,
    { body, key, wait }: SendRequest,
    caller?: LeavingCaller,
  ): Promise<Sent> {
    const session = await this.sessions.forWriting(who, sessionId);
    const attachments = [...new Set(body.attachments)];
    refuseUnfitMessage(body.message, attachments);
    const request: TurnRequest = {
      kind: 'message',
      message: body.message,
      attachments,
      outputSchema: fitOutputSchema(body.outputSchema),
      options: body.options,
      key: idempotencyKeyOf(key),
    };
    const sent = await this.acceptOrQueue(who, session, request, body.whenBusy ?? 'refuse');
    if ('item' in sent) return sent;
    return wait ? this.watch.untilFinal(sent.turn, caller) : { turn: sent.turn, final: false };
  }

  /** As `send` for a message that is refused while a turn runs. */
  async sendNow(
    who: Principal,
    sessionId: string,
    request: Omit<SendRequest, 'body'> & { body: Omit<CreateTurn, 'whenBusy'> },
    caller?: LeavingCaller,
  ): Promise<{ turn: Turn; final: boolean }> {
    const sent = await this.send(who, sessionId, request, caller);
    if ('item' in sent) throw new Error('a message that was not to wait waits');
    return sent;
  }

  private async acceptOrQueue(
    who: Principal,
    session: Session,
    request: TurnRequest,
    whenBusy: NonNullable<CreateTurn['whenBusy']>,
  ): Promise<{ turn: Turn } | { item: QueueItem }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return { turn: await this.acceptance.accept(who, session, request) };
      } catch (error) {
        const isBusy = error instanceof ProblemError && BUSY.includes(error.code);
        if (whenBusy === 'refuse' || !isBusy || attempt >= ATTEMPTS) throw error;
        const item = await this.queueing.add(who, session, request, whenBusy);
        if (item) return { item };
        // The turn ended in between.
      }
    }
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
