import { Injectable } from '@nestjs/common';
import type { Session } from '@chirality/contracts';
import { SessionRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import type { Principal } from './principal';
import { sessionPolicy } from './session.policy';

/**
 * The only way to a session: a user who may not read it gets the answer for an unknown one, others the right they
 * lack.
 */
@Injectable()
export class SessionAccess {
  constructor(private readonly sessions: SessionRepository) {}

  /** Throws SESSION_NOT_FOUND, the same for every reason. */
  async forReading(who: Principal, sessionId: string): Promise<Session> {
    const found = await this.sessions.findForUser(knownId('session', sessionId), who.user.id);
    if (!found || !sessionPolicy.read(who, found.session)) throw problems.sessionNotFound();
    return found.session;
  }

  /** Those of them that the person may read, in one look at the store. */
  async readableOf(who: Principal, sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (sessionIds.length === 0) return new Set();
    const { sessions } = await this.sessions.findAll([...new Set(sessionIds)]);
    return new Set(sessions.filter((session) => sessionPolicy.read(who, session)).map(({ id }) => id));
  }

  /** For acts on what is there already, in an archived session too. */
  async forActing(who: Principal, sessionId: string): Promise<Session> {
    const session = await this.forReading(who, sessionId);
    if (!sessionPolicy.write(who, session)) throw problems.forbidden('write in this session', session.teamId);
    return session;
  }

  async forWriting(who: Principal, sessionId: string): Promise<Session> {
    const session = await this.forActing(who, sessionId);
    if (session.status === 'archived') throw archived();
    return session;
  }

  async forAnswering(who: Principal, sessionId: string): Promise<Session> {
    const session = await this.forReading(who, sessionId);
    if (!sessionPolicy.answer(who, session)) throw problems.forbidden('answer in this session', session.teamId);
    return session;
  }

  async forManaging(who: Principal, sessionId: string): Promise<Session> {
    const session = await this.forReading(who, sessionId);
    if (!sessionPolicy.manage(who, session)) throw problems.forbidden('change this session', session.teamId);
    return session;
  }

  async forRawReading(who: Principal, sessionId: string): Promise<Session> {
    const session = await this.forReading(who, sessionId);
    if (!sessionPolicy.readRaw(who, session)) throw problems.forbidden('read what is kept unmasked', session.teamId);
    return session;
  }

  /** Of many sessions at once, deleted ones too: answers whether a person sees one of them. */
  async seenAmong(sessionIds: string[]): Promise<(who: Principal) => boolean> {
    const { sessions, deleted } = await this.sessions.findAll(sessionIds);
    const found = [...sessions, ...deleted];
    return (who) => found.some((session) => sessionPolicy.read(who, session));
  }

  /** For what is open already: what the person may still do in it; null when it may not stay open. */
  async rightsIn(who: Principal, sessionId: string): Promise<{ mayAnswer: boolean } | null> {
    const found = await this.sessions.findForUser(sessionId, who.user.id);
    return found && sessionPolicy.read(who, found.session)
      ? { mayAnswer: sessionPolicy.answer(who, found.session) }
      : null;
  }
}

export function archived(): ProblemError {
  return new ProblemError('CONFLICT', 'The session is archived. Start a new one to continue.');
}
