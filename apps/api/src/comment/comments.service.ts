import { Injectable } from '@nestjs/common';
import {
  MAX_UNSENT_COMMENTS,
  type CreateComment,
  type DiffComment,
  type Page,
  type SendComments,
  type Session,
  type Turn,
  type UpdateComment,
} from '@chirality/contracts';
import { CommentRepository, type UnsentComment } from '@chirality/database';
import { commentsMessage, maskText, newId } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { sessionPolicy } from '../access/session.policy';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { idempotencyKeyOf, refuseUnfitMessage } from '../turn/message-rules';
import { commentsChanged, TurnAcceptance } from '../turn/turn-acceptance';
import { CommentedCode } from './commented-code';

/** Comments on lines of a session's changes: each is its author's until all of them go to Claude as one message. */
@Injectable()
export class CommentsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly comments: CommentRepository,
    private readonly code: CommentedCode,
    private readonly acceptance: TurnAcceptance,
  ) {}

  async list(who: Principal, sessionId: string): Promise<Page<DiffComment>> {
    const session = await this.sessions.forReading(who, sessionId);
    return wholePage(await this.unsent(session));
  }

  async add(who: Principal, sessionId: string, comment: CreateComment): Promise<DiffComment> {
    const session = await this.sessions.forWriting(who, sessionId);
    const added = await this.comments.add(
      {
        ...comment,
        id: newId('comment'),
        sessionId: session.id,
        author: { userId: who.user.id, name: who.user.name },
        body: maskText(comment.body),
        code: await this.code.read(session.id, comment),
      },
      MAX_UNSENT_COMMENTS,
    );
    if (!added)
      throw new ProblemError(
        'CONFLICT',
        `This session has ${MAX_UNSENT_COMMENTS} comments that were not sent. Send or delete some of them first.`,
      );
    return { ...withoutVersion(added), outdated: false };
  }

  async change(who: Principal, sessionId: string, commentId: string, { body }: UpdateComment): Promise<DiffComment> {
    const session = await this.sessions.forActing(who, sessionId);
    const { id } = await this.ownOf(who, session, commentId);
    const changed = await this.comments.change(id, maskText(body));
    if (!changed) throw sentAlready();
    const [comment] = await this.code.withState(session.id, [withoutVersion(changed)]);
    return comment as DiffComment;
  }

  async remove(who: Principal, sessionId: string, commentId: string): Promise<void> {
    const session = await this.sessions.forActing(who, sessionId);
    const { id } = await this.ownOf(who, session, commentId);
    if (!(await this.comments.remove(id))) throw sentAlready();
  }

  /** One turn of the sender with all comments, or the chosen ones; each is sent once. */
  async send(
    who: Principal,
    sessionId: string,
    request: SendComments,
    key: string | undefined,
  ): Promise<{ turn: Turn }> {
    const session = await this.sessions.forWriting(who, sessionId);
    const asked = {
      kind: 'message',
      message: '',
      identity: JSON.stringify(['comments', request]),
      options: {},
      key: idempotencyKeyOf(key),
    } as const;
    // By now its comments are sent.
    const kept = await this.acceptance.kept(who, session, asked);
    if (kept) return { turn: kept };
    const unsent = await this.comments.listUnsent(session.id);
    const wanted = request.ids === undefined ? unsent : unsent.filter(({ id }) => request.ids?.includes(id));
    if (wanted.length < (request.ids === undefined ? 1 : new Set(request.ids).size)) throw commentsChanged();
    const chosen = await this.code.withState(session.id, wanted.map(withoutVersion));
    const message = commentsMessage(chosen, request.message);
    refuseUnfitMessage(message);
    const comments = wanted.map(({ id, version }) => `${id}/${version}`);
    const turn = await this.acceptance.accept(who, session, { ...asked, message, comments });
    return { turn };
  }

  private async unsent(session: Session): Promise<DiffComment[]> {
    const comments = await this.comments.listUnsent(session.id);
    return this.code.withState(session.id, comments.map(withoutVersion));
  }

  /** Its author changes it; who manages the session may, too. */
  private async ownOf(who: Principal, session: Session, commentId: string): Promise<UnsentComment> {
    const found = await this.comments.find(session.id, knownId('comment', commentId));
    if (!found) throw problems.notFound('comment');
    if (found.comment.author.userId !== who.user.id && !sessionPolicy.manage(who, session))
      throw problems.forbidden('change the comments of others', session.teamId);
    if (found.isSent) throw sentAlready();
    return found.comment;
  }
}

function withoutVersion({ version: _version, ...comment }: UnsentComment): Omit<DiffComment, 'outdated'> {
  return comment;
}

function sentAlready(): ProblemError {
  return new ProblemError('CONFLICT', 'This comment was sent, or deleted by someone. Reload the comments.');
}
