import { Injectable } from '@nestjs/common';
import { MAX_QUEUE_ITEMS, type QueueItem, type Session } from '@chirality/contracts';
import { QueueItemRepository } from '@chirality/database';
import { maskText, messageSealOf } from '@chirality/domain';
import { ProblemError, SchemaJudge, SecretBox } from '@chirality/platform';
import { originatorOf, requireCommand, type Principal } from '../access/principal';
import { archived } from '../access/session-access';
import { attachmentGone, AttachmentsService } from '../attachment/attachments.service';
import { refuseTurnOptions } from '../options/refuse-beyond-grant';
import { refuseUnfitAttachments } from './message-rules';
import { refuseUnfitSchema } from './output-schema-rules';
import { idempotencyOf, mismatch, type TurnRequest } from './turn-acceptance';
import { TurnActsService } from './turn-acts.service';

/** Messages that find a turn in their way: they wait for its end, or have it interrupted. */
@Injectable()
export class TurnQueueing {
  constructor(
    private readonly items: QueueItemRepository,
    private readonly attachments: AttachmentsService,
    private readonly acts: TurnActsService,
    private readonly secrets: SecretBox,
    private readonly judge: SchemaJudge,
  ) {}

  /**
   * The message as it waits; null when nothing is in its way by now. The row is first: where this process ends before
   * the interrupt, the queue's runner asks for it. The caller has checked that the person may write here.
   */
  async add(
    who: Principal,
    session: Session,
    request: TurnRequest,
    whenBusy: 'queue' | 'interrupt',
  ): Promise<QueueItem | null> {
    const urgent = whenBusy === 'interrupt';
    if (urgent) requireCommand(who, 'turn:interrupt');
    refuseTurnOptions(who, request.options, session.options);
    const attachments = await this.attachments.forMessage(who, session, request.attachments ?? []);
    refuseUnfitAttachments(attachments);
    if (request.outputSchema) await refuseUnfitSchema(this.judge, who.user.id, request.outputSchema);
    const outcome = await this.items.add(
      {
        session: { id: session.id },
        author: { userId: who.user.id, name: who.user.name, identityClass: who.identityClass },
        originator: originatorOf(who),
        clientId: who.clientId,
        tokenId: who.token?.id ?? null,
        message: maskText(request.message),
        messageCipher: this.secrets.seal(request.message, messageSealOf(session.id)),
        attachments,
        options: request.options,
        outputSchema: request.outputSchema ?? null,
        urgent,
        idempotency: idempotencyOf(request),
      },
      MAX_QUEUE_ITEMS,
    );
    switch (outcome.outcome) {
      case 'queued':
        if (urgent && outcome.activeTurnId !== null) await this.acts.interruptTurn(who, session, outcome.activeTurnId);
        return outcome.item;
      case 'replayed':
        return outcome.item;
      case 'idle':
        return null;
      case 'mismatch':
        throw mismatch();
      case 'archived':
        throw archived();
      case 'attachment_gone':
        throw attachmentGone();
      case 'full':
        throw new ProblemError(
          'QUEUE_FULL',
          `The session has ${MAX_QUEUE_ITEMS} queued messages already. Remove one, or send yours when one has been run.`,
        );
    }
  }
}
