import { Inject, Injectable } from '@nestjs/common';
import type { Options, OutputSchema, Session, Turn, TurnKind } from '@chirality/contracts';
import { SessionRepository, TurnAcceptanceRepository, TurnRepository, type AcceptOutcome } from '@chirality/database';
import { maskText, messageSealOf } from '@chirality/domain';
import { TurnQueue } from '@chirality/messaging';
import { LOG, metrics, ProblemError, SchemaJudge, SecretBox, type Logger } from '@chirality/platform';
import { attachmentGone, AttachmentsService } from '../attachment/attachments.service';
import { refuseTurnOptions } from '../options/refuse-beyond-grant';
import { originatorOf, type Principal } from '../access/principal';
import { archived } from '../access/session-access';
import { BudgetCheck } from '../budget/budget-check';
import { OptionChain } from '../options/option-chain.service';
import { workspaceInUse } from '../shared-workspace/workspace-in-use';
import { LiveWorkers } from '../worker/live-workers';
import { bodyHashOf, refuseUnfitAttachments } from './message-rules';
import { refuseUnfitSchema } from './output-schema-rules';
import { titleFromMessage } from './session-title';

export type TurnRequest = {
  kind: TurnKind;
  message: string;
  /** Ids, each once. */
  attachments?: readonly string[];
  /** Comments on changes that the message holds, as `id/version`. */
  comments?: readonly string[];
  /** What the answer has to be, masked; whether it is a schema is checked here. */
  outputSchema?: OutputSchema | null;
  options: Options;
  key?: string | undefined;
  /** The message of the queue that it is, with the key that it came with. */
  item?: { id: string; version: number; idempotency: Idempotency | null };
  /** What tells one request of a key from another, where that is not the message. */
  identity?: string;
};
/**
 * A session is named when its first turn has been claimed, which needs the same row; one that stays unnamed is named
 * after its next message.
 */
const NAME_AFTER_MS = 300;

type Idempotency = { key: string; bodyHash: string };

/** The one way in which a turn comes to be: sealed, masked, committed with its first event, and only then announced. */
@Injectable()
export class TurnAcceptance {
  constructor(
    private readonly turns: TurnRepository,
    private readonly acceptance: TurnAcceptanceRepository,
    private readonly sessions: SessionRepository,
    private readonly workers: LiveWorkers,
    private readonly options: OptionChain,
    private readonly budgets: BudgetCheck,
    private readonly attachments: AttachmentsService,
    private readonly secrets: SecretBox,
    private readonly queue: TurnQueue,
    private readonly judge: SchemaJudge,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** The turn that the key already created for the same request. */
  async kept(who: Principal, session: Session, request: TurnRequest): Promise<Turn | null> {
    const idempotency = idempotencyOf(request);
    const found =
      idempotency && (await this.turns.findByKey({ userId: who.user.id, sessionId: session.id }, idempotency));
    if (found?.outcome === 'mismatch') throw mismatch();
    return found?.turn ?? null;
  }

  /** The turn, new or the one that the key already created. The caller has checked that the person may write here. */
  async accept(who: Principal, session: Session, request: TurnRequest): Promise<Turn> {
    refuseTurnOptions(who, request.options, session.options);
    const idempotency = idempotencyOf(request);
    const shaping = this.options.resolveToRun(session, request.options);
    // Not looked at where the turn is refused for something else.
    shaping.catch(() => undefined);
    const outcome =
      (await this.keptOrRefused(who, session, request.kind, idempotency)) ??
      (await this.acceptNew(who, session, request, shaping, idempotency));
    switch (outcome.outcome) {
      case 'accepted':
        this.announce(who, session, outcome.turn, outcome.holderWorkerId, request.message);
        return outcome.turn;
      case 'replayed':
        return outcome.turn;
      case 'mismatch':
        throw mismatch();
      case 'busy':
        throw turnInProgress(outcome.active);
      case 'workspace_in_use':
        throw workspaceInUse(who, outcome.use);
      case 'archived':
        throw archived();
      case 'queue_first':
        throw queuedFirst();
      case 'item_gone':
        throw new ProblemError('CONFLICT', 'The queued message was changed, sent or removed meanwhile.');
      case 'attachment_gone':
        throw attachmentGone();
      case 'comments_changed':
        throw commentsChanged();
    }
  }

  /**
   * Without a proven sandbox, or the session's harness, or with nothing left to spend, nothing new is accepted; what
   * was accepted before is still answered by its key.
   */
  private async keptOrRefused(
    who: Principal,
    session: Session,
    kind: TurnKind,
    idempotency: Idempotency | undefined,
  ): Promise<AcceptOutcome | null> {
    const [unrunnable, unpayable] = await Promise.all([
      this.workers.refusalToRun(session.harness),
      this.budgets.refusal(who, session, kind),
    ]);
    const refusal = unrunnable ?? unpayable;
    return refusal && this.keptOrThrow(who, session, idempotency, refusal);
  }

  /** A key that made a turn answers with it, whatever stands in the way of a new one. */
  private async keptOrThrow(
    who: Principal,
    session: Session,
    idempotency: Idempotency | undefined,
    refusal: unknown,
  ): Promise<AcceptOutcome> {
    const kept =
      idempotency && (await this.turns.findByKey({ userId: who.user.id, sessionId: session.id }, idempotency));
    if (!kept) throw refusal;
    return kept;
  }

  private async acceptNew(
    who: Principal,
    session: Session,
    request: TurnRequest,
    shaping: ReturnType<OptionChain['resolveToRun']>,
    idempotency: Idempotency | undefined,
  ): Promise<AcceptOutcome> {
    const shape = await shaping.catch((error: unknown) => this.keptOrThrow(who, session, idempotency, error));
    if ('outcome' in shape) return shape;
    const attachments = await this.attachments.forMessage(who, session, request.attachments ?? []);
    refuseUnfitAttachments(attachments);
    const known = request.outputSchema && (await this.keptOrUnfit(who, session, request.outputSchema, idempotency));
    if (known) return known;
    return this.acceptance.accept({
      session: { id: session.id, teamId: session.teamId },
      kind: request.kind,
      message: maskText(request.message),
      messageCipher: this.secrets.seal(request.message, messageSealOf(session.id)),
      attachments,
      comments: request.comments ?? [],
      outputSchema: request.outputSchema ?? null,
      item: request.item,
      ...shape,
      author: { userId: who.user.id, name: who.user.name, identityClass: who.identityClass },
      originator: originatorOf(who),
      ...(idempotency ? { idempotency } : {}),
    });
  }

  /** A schema takes time to judge, which is not spent where the turn exists already or none can begin. */
  private async keptOrUnfit(
    who: Principal,
    session: Session,
    schema: OutputSchema,
    idempotency: Idempotency | undefined,
  ): Promise<AcceptOutcome | null> {
    const kept =
      idempotency && (await this.turns.findByKey({ userId: who.user.id, sessionId: session.id }, idempotency));
    if (kept) return kept;
    const active = await this.turns.findActive(session.id);
    if (active) return { outcome: 'busy', active };
    await refuseUnfitSchema(this.judge, who.user.id, schema);
    return null;
  }

  private name(sessionId: string, title: string, who: Principal): void {
    this.sessions
      .update(sessionId, { title }, originatorOf(who))
      .catch((error: unknown) => this.log.warn({ err: error }, 'session.not_named'));
  }

  /** The row is committed: a lost wake-up is made up for by the pollers of the rows. */
  private announce(who: Principal, session: Session, turn: Turn, holderWorkerId: string | null, message: string): void {
    metrics.turnsAccepted.inc({ kind: turn.kind });
    void this.queue.wake(turn.id, holderWorkerId);
    const title = turn.kind === 'message' ? titleFromMessage(session, message) : null;
    if (title) setTimeout(() => this.name(session.id, title, who), NAME_AFTER_MS).unref();
  }
}

export function idempotencyOf({ key, kind, identity, item, ...body }: TurnRequest): Idempotency | undefined {
  if (item) return item.idempotency ?? undefined;
  return key === undefined
    ? undefined
    : { key, bodyHash: bodyHashOf(kind, { ...body, message: identity ?? body.message }) };
}

export function mismatch(): ProblemError {
  return new ProblemError(
    'IDEMPOTENCY_MISMATCH',
    'This Idempotency-Key was used for another request. Send the other request again as it was, or use a new key.',
  );
}

/** Comments on changes are sent once, and as they were read. */
export function commentsChanged(): ProblemError {
  return new ProblemError(
    'CONFLICT',
    'There is nothing to send, or comments were sent or changed meanwhile. Look at them again, then send them.',
  );
}

function queuedFirst(): ProblemError {
  return new ProblemError(
    'TURN_IN_PROGRESS',
    'Messages are queued in this session and run first. Send yours with "whenBusy": "queue" to have it follow them.',
  );
}

/** Says who has the session and since when; a boot has its own code. */
function turnInProgress(active: Turn): ProblemError {
  const since = active.startedAt ?? active.queuedAt;
  const extra = { turnId: active.id, holder: { userId: active.author.userId, name: active.author.name }, since };
  if (active.kind === 'boot')
    return new ProblemError(
      'BOOT_IN_PROGRESS',
      `The session is booting for ${active.author.name}. Wait until that has ended.`,
      extra,
    );
  return new ProblemError(
    'TURN_IN_PROGRESS',
    `${active.author.name} has a turn in progress since ${since}. Wait until it has ended, or interrupt it.`,
    extra,
  );
}
