import type { Permission, PermissionDecision } from '@chirality/contracts';
import type { PermissionItem } from '@chirality/domain';
import { ApiError } from '../../../lib/http/api-error';
import { Observable } from '../../../lib/state/observable';
import type { SessionNotices } from '../../../lib/notices/session-notices';
import { wordsOf, type AnswerDrafts } from '../../../lib/permission/answer-drafts';
import { lateSentence, type Decided } from './late-sentence';

/** A request that a person sees, and the session that it belongs to. */
export type Asked = { sessionId: string; sessionTitle: string; permissionId: string; kind: PermissionItem['kind'] };
/** `given`: the server has the answer. `late`: another answer was first. A failed answer may be given again. */
type AnswerState = { status: 'sending' | 'given' | 'late' } | { status: 'failed'; sentence: string };

type Parts = {
  myId: string;
  drafts: AnswerDrafts;
  notices: Pick<SessionNotices, 'add' | 'dismiss'>;
  send(reply: PermissionDecision & { sessionId: string; permissionId: string }): Promise<Permission>;
  onGiven(sessionId: string): void;
};

/** An answer is not sent again by the page: who presses again has seen what it is for. */
function failureSentence(error: unknown): string {
  if (error instanceof ApiError && error.code === 'NETWORK')
    return 'Your answer was not sent: the server cannot be reached. Check your connection and answer again.';
  return `Your answer was not accepted. ${error instanceof Error ? error.message : 'Answer again.'}`;
}

/**
 * The answers that this page gives. They outlive the card and the session's page: each ends in an outcome that is seen,
 * on the card while it is there and as a notice otherwise, and words that came to nothing are given back.
 */
export class AnswerBook {
  readonly states = new Observable<ReadonlyMap<string, AnswerState>>(new Map());
  private readonly onScreen = new Set<string>();

  constructor(private readonly parts: Parts) {}

  get drafts(): AnswerDrafts {
    return this.parts.drafts;
  }

  async give(asked: Asked, decision: PermissionDecision): Promise<void> {
    const { sessionId, permissionId } = asked;
    const { status } = this.states.get().get(permissionId) ?? {};
    if (status === 'sending' || status === 'given') return;
    this.parts.notices.dismiss(permissionId);
    this.set(permissionId, { status: 'sending' });
    // Taken now: the conversation may say first that the request is settled, and its draft is gone by then.
    const words = decision.reason ?? this.words(permissionId);
    try {
      await this.parts.send({ sessionId, permissionId, ...decision });
      this.set(permissionId, { status: 'given' });
      this.parts.drafts.forget(permissionId);
      this.parts.onGiven(sessionId);
    } catch (error) {
      this.notGiven(asked, words, error);
    }
  }

  /** The card is on screen until the returned function is called. */
  show(asked: Asked): () => void {
    this.onScreen.add(asked.permissionId);
    return () => {
      this.onScreen.delete(asked.permissionId);
      const state = this.states.get().get(asked.permissionId);
      if (state?.status === 'failed') this.notice(asked, 'bad', state.sentence, this.words(asked.permissionId));
    };
  }

  /** The conversation says how the request ended: an answer that was being given or written learns what was first. */
  settled(asked: Asked, decided: Decided): void {
    const { permissionId } = asked;
    const status = this.states.get().get(permissionId)?.status;
    const words = this.words(permissionId);
    const isMine =
      decided.by?.userId === this.parts.myId && (status === 'sending' || status === 'given' || status === 'failed');
    if (isMine) {
      this.set(permissionId, { status: 'given' });
      this.parts.notices.dismiss(permissionId);
    } else if (status !== 'late' && status !== 'given' && (words !== null || status !== undefined)) {
      this.set(permissionId, { status: 'late' });
      this.late(asked, decided, words);
    }
    this.parts.drafts.forget(permissionId);
  }

  private notGiven(asked: Asked, words: string | null, error: unknown): void {
    const { permissionId } = asked;
    // The conversation has said by then how the request ended.
    const { status } = this.states.get().get(permissionId) ?? {};
    if (status === 'given' || status === 'late') return;
    if (error instanceof ApiError && error.code === 'PERMISSION_RESOLVED') {
      const { outcome, resolvedBy, resolvedReason } = (error.problem.permission ?? {}) as Partial<Permission>;
      this.set(permissionId, { status: 'late' });
      this.late(
        asked,
        { outcome: outcome ?? 'run_ended', by: resolvedBy ?? null, reason: resolvedReason ?? null },
        words,
      );
      return;
    }
    const sentence = failureSentence(error);
    this.set(permissionId, { status: 'failed', sentence });
    if (!this.onScreen.has(permissionId)) this.notice(asked, 'bad', sentence, words);
  }

  private late(asked: Asked, decided: Decided, words: string | null): void {
    this.notice(asked, 'info', lateSentence(asked.kind, decided, this.parts.myId), words);
  }

  private notice(
    { permissionId, sessionId, sessionTitle }: Asked,
    tone: 'info' | 'bad',
    text: string,
    words: string | null,
  ): void {
    this.parts.notices.add({ id: permissionId, sessionId, sessionTitle, tone, text, words });
  }

  private words(permissionId: string): string | null {
    return wordsOf(this.parts.drafts.read(permissionId));
  }

  private set(permissionId: string, state: AnswerState): void {
    this.states.set(new Map(this.states.get()).set(permissionId, state));
  }
}
