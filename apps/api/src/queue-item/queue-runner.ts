import { Inject, Injectable } from '@nestjs/common';
import { SYSTEM } from '@chirality/contracts';
import { QueueItemRepository, type DueQueueItem, type StoredQueueItem } from '@chirality/database';
import { messageSealOf } from '@chirality/domain';
import { LOG, ProblemError, SecretBox, SecretBoxError, type Logger } from '@chirality/platform';
import { requireCommand } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { TurnAcceptance } from '../turn/turn-acceptance';
import { TurnActsService } from '../turn/turn-acts.service';
import { QueuePrincipals } from './queue-principal';

/** What passes without anyone's doing: the message waits on. */
const PASSING: readonly string[] = [
  'TURN_IN_PROGRESS',
  'BOOT_IN_PROGRESS',
  'WORKSPACE_IN_USE',
  'SANDBOX_UNAVAILABLE',
  'QUEUE_UNAVAILABLE',
  'DATABASE_UNAVAILABLE',
  'WORKSPACE_UNAVAILABLE',
  'PROJECT_NOT_READY',
  'HARNESS_FAILURE',
  'RATE_LIMITED',
  'INTERNAL',
];
/** The author may no longer send it. */
const RIGHTS: readonly string[] = ['FORBIDDEN', 'SESSION_NOT_FOUND', 'TOKEN_SCOPE', 'AGENT_MAY_NOT_APPROVE'];

const NO_RIGHT = 'Its author may no longer write in this session.';
const UNREADABLE = 'The server can no longer read this message. Write it again, or remove it.';

/** Runs one message of a queue as its author, by the way that every message takes. */
@Injectable()
export class QueueRunner {
  constructor(
    private readonly items: QueueItemRepository,
    private readonly principals: QueuePrincipals,
    private readonly sessions: SessionAccess,
    private readonly acceptance: TurnAcceptance,
    private readonly acts: TurnActsService,
    private readonly secrets: SecretBox,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Makes it a turn; or has the turn interrupted that it must not wait for, where the server that was to ask for it
   * ended before. Several servers may do so at once: one of them makes the turn.
   */
  async run({ item, activeTurnId, isInterruptAsked }: DueQueueItem): Promise<void> {
    if (activeTurnId !== null && (item.interruptsId !== activeTurnId || isInterruptAsked)) return;
    try {
      const who = await this.principals.of(item);
      if (who === null) return await this.drop(item);
      requireCommand(who, activeTurnId === null ? 'turn:send' : 'turn:interrupt');
      const session = await this.sessions.forWriting(who, item.sessionId);
      if (activeTurnId !== null) return void (await this.acts.interruptTurn(who, session, activeTurnId));
      await this.acceptance.accept(who, session, {
        kind: 'message',
        message: this.open(item),
        attachments: item.attachments.map(({ id }) => id),
        outputSchema: item.outputSchema,
        options: item.options,
        item: { id: item.id, version: item.version, idempotency: item.idempotency },
      });
      // Where its key had made a turn before, that one was answered and nothing took it from the queue.
      if (await this.items.find(item.sessionId, item.id)) await this.items.remove(item.sessionId, item.id, SYSTEM);
    } catch (error) {
      await this.refused(item, error);
    }
  }

  private async refused(item: StoredQueueItem, error: unknown): Promise<void> {
    if (!(error instanceof ProblemError)) {
      this.log.warn({ err: error, itemId: item.id, sessionId: item.sessionId }, 'queue_item.not_run');
      return;
    }
    if (PASSING.includes(error.code)) return;
    if (RIGHTS.includes(error.code)) return this.drop(item);
    // Nothing happens here where it was changed, or ran, meanwhile.
    await this.items.refuse(item, error.detail, SYSTEM);
  }

  private async drop({ id, sessionId, author }: StoredQueueItem): Promise<void> {
    const { userId, name } = author;
    await this.items.remove(sessionId, id, SYSTEM, { id, author: { userId, name }, detail: NO_RIGHT });
    this.log.warn({ itemId: id, sessionId, userId }, 'queue_item.dropped');
  }

  private open({ sessionId, messageCipher }: StoredQueueItem): string {
    try {
      return this.secrets.open(messageCipher as Buffer, messageSealOf(sessionId)).toString('utf8');
    } catch (error) {
      if (error instanceof SecretBoxError) throw new ProblemError('CONFLICT', UNREADABLE);
      throw error;
    }
  }
}
