import { Injectable } from '@nestjs/common';
import { AttemptCounter } from '@chirality/messaging';
import type { Request } from 'express';
import type { Principal } from '../access/principal';
import { problemOf } from '../core/problem/problem-of';
import { ForbiddenError } from '../core/problem/problems';
import { AuditTrail } from './audit-trail';

/** Denied acts of one person that are recorded in a window; a program that keeps trying fills no log. */
const LIMIT = { attempts: 30, windowMs: 15 * 60_000 };

/** Records what was denied to a signed-in user, in the log of the team that it was about. */
@Injectable()
export class DeniedActs {
  constructor(
    private readonly audit: AuditTrail,
    private readonly counter: AttemptCounter,
  ) {}

  /** Never rejects. */
  async note(request: Request, { reason, teamId }: { reason: string; teamId: string | null }): Promise<void> {
    const who = request.user as Principal | undefined;
    if (who === undefined) return;
    const body = (request.body ?? {}) as Record<string, unknown>;
    await this.noteFor(who, {
      teamId,
      teams: [request.params['teamId'], request.query['teamId'], body['teamId']],
      object: subjectOf(request),
      detail: {
        method: request.method,
        route: (request.route as { path?: string } | undefined)?.path ?? '',
        reason,
      },
    });
  }

  /**
   * The same for what came by another transport, where the error is one of a right or claim that was missing. Never
   * rejects.
   */
  async noteRefusal(who: Principal, command: string, input: object, error: unknown): Promise<void> {
    const { problem } = problemOf(error);
    if (problem.code !== 'FORBIDDEN' && problem.code !== 'TOKEN_SCOPE') return;
    const teamId = problem instanceof ForbiddenError ? problem.teamId : null;
    await this.noteCommand(who, command, input, { reason: problem.detail, teamId });
  }

  private async noteCommand(
    who: Principal,
    command: string,
    input: object,
    { reason, teamId }: { reason: string; teamId: string | null },
  ): Promise<void> {
    const { session, teamId: named } = input as Record<string, unknown>;
    await this.noteFor(who, {
      teamId,
      teams: [named],
      object: typeof session === 'string' ? session.slice(0, 100) : '',
      detail: { method: 'command', route: command, reason },
    });
  }

  private async noteFor(
    who: Principal,
    denied: { teamId: string | null; teams: unknown[]; object: string; detail: Record<string, string> },
  ): Promise<void> {
    const counted = await this.counter.take('audit:denied', LIMIT, who.user.id).catch(() => null);
    if (counted?.allowed !== true) return;
    const { object, detail } = denied;
    await this.audit.note(who, teamOf(denied.teamId, denied.teams, who), { action: 'act:deny', object, detail });
  }
}

/**
 * The team whose role was not enough, one of the person's that the request names, or the only one they have; else null,
 * which no team's log shows.
 */
function teamOf(teamId: string | null, teams: unknown[], who: Principal): string | null {
  if (teamId !== null) return who.roles.has(teamId) ? teamId : null;
  const named = teams.find((id) => typeof id === 'string' && who.roles.has(id));
  if (typeof named === 'string') return named;
  const [only, ...others] = who.roles.keys();
  return only !== undefined && others.length === 0 ? only : null;
}

function subjectOf(request: Request): string {
  const ids = Object.values(request.params).filter((id): id is string => typeof id === 'string');
  return (ids.at(-1) ?? '').slice(0, 100);
}
