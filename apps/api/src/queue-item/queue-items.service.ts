import { Injectable } from '@nestjs/common';
import type { SessionQueue, QueueItem, Session, UpdateQueue, UpdateQueueItem } from '@chirality/contracts';
import { QueueItemRepository, type QueueItemChange, type StoredQueueItem } from '@chirality/database';
import { maskText, messageSealOf } from '@chirality/domain';
import { ProblemError, SecretBox } from '@chirality/platform';
import { originatorOf, requireCommand, type Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { sessionPolicy } from '../access/session.policy';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { refuseTurnOptions } from '../options/refuse-beyond-grant';
import { refuseUnfitMessage } from '../turn/message-rules';
import { TurnActsService } from '../turn/turn-acts.service';
import { QueueClock } from './queue-clock';

/**
 * What people do to the messages that wait. Their words are their authors'; their order and when they run are for
 * everyone who may write in the session.
 */
@Injectable()
export class QueueItemsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly items: QueueItemRepository,
    private readonly acts: TurnActsService,
    private readonly secrets: SecretBox,
    private readonly clock: QueueClock,
  ) {}

  async list(who: Principal, sessionId: string): Promise<SessionQueue> {
    const session = await this.sessions.forReading(who, sessionId);
    return this.items.list(session.id);
  }

  /** Resumes or pauses all of it. */
  async change(who: Principal, sessionId: string, { paused }: UpdateQueue): Promise<SessionQueue> {
    const session = await this.sessions.forWriting(who, sessionId);
    await this.items.setPaused(session.id, paused ? { reason: 'stopped', detail: null } : null, originatorOf(who));
    if (!paused) this.lookNow();
    return this.items.list(session.id);
  }

  /** Who manages the session removes all, others their own. */
  async clear(who: Principal, sessionId: string): Promise<SessionQueue> {
    const session = await this.sessions.forActing(who, sessionId);
    const ofUser = sessionPolicy.manage(who, session) ? null : who.user.id;
    await this.items.clear(session.id, originatorOf(who), ofUser);
    return this.items.list(session.id);
  }

  async changeItem(
    who: Principal,
    sessionId: string,
    itemId: string,
    { message, options, after }: UpdateQueueItem,
  ): Promise<{ item: QueueItem }> {
    const session = await this.sessions.forWriting(who, sessionId);
    const item = await this.waiting(session, itemId);
    const change: QueueItemChange = {};
    if (message !== undefined || options !== undefined) requireSender(who, session, item);
    if (message !== undefined) {
      refuseUnfitMessage(
        message,
        item.attachments.map(({ id }) => id),
      );
      change.message = { text: maskText(message), cipher: this.secrets.seal(message, messageSealOf(session.id)) };
    }
    if (options !== undefined) {
      refuseTurnOptions(who, options, session.options);
      change.options = options;
    }
    if (after !== undefined) change.after = after;
    const changed = await this.items.change(session.id, item.id, change, originatorOf(who));
    if (changed === 'unknown_place')
      throw new ProblemError('CONFLICT', 'The message that it should follow no longer waits. Reload the queue.');
    if (changed === null) throw leftAlready();
    return { item: changed };
  }

  /** Its author, and who manages the session. */
  async remove(who: Principal, sessionId: string, itemId: string): Promise<void> {
    const session = await this.sessions.forActing(who, sessionId);
    const item = await this.waiting(session, itemId);
    if (!sessionPolicy.manage(who, session)) requireAuthor(who, session, item);
    if (!(await this.items.remove(session.id, item.id, originatorOf(who)))) throw leftAlready();
  }

  /** Has it run first, for which a turn that runs is interrupted. */
  async send(who: Principal, sessionId: string, itemId: string): Promise<SessionQueue> {
    const session = await this.sessions.forWriting(who, sessionId);
    requireCommand(who, 'turn:interrupt');
    const item = await this.waiting(session, itemId);
    const hastened = await this.items.hasten(session.id, item.id, originatorOf(who));
    if (!hastened) throw leftAlready();
    if (hastened.interruptsId !== null) await this.acts.interruptTurn(who, session, hastened.interruptsId);
    else this.lookNow();
    return this.items.list(session.id);
  }

  private async waiting(session: Session, itemId: string): Promise<StoredQueueItem> {
    const item = await this.items.find(session.id, knownId('queueItem', itemId));
    if (!item) throw problems.notFound('queued message');
    return item;
  }

  /** What fails here is done at the next look. */
  private lookNow(): void {
    this.clock.look().catch(() => undefined);
  }
}

function requireAuthor(who: Principal, session: Session, { author }: StoredQueueItem): void {
  if (author.userId !== who.user.id) throw problems.forbidden('change the queued messages of others', session.teamId);
}

/** A message runs with the rights of the sign-in or token that it was sent with: no other one puts words into it. */
function requireSender(who: Principal, session: Session, item: StoredQueueItem): void {
  requireAuthor(who, session, item);
  if (item.tokenId !== (who.token?.id ?? null))
    throw new ProblemError(
      'FORBIDDEN',
      'This message runs with the rights of another sign-in or token, with which it was sent. Remove it and send it again.',
    );
}

function leftAlready(): ProblemError {
  return new ProblemError('CONFLICT', 'This message was sent, or removed by someone. Reload the queue.');
}
