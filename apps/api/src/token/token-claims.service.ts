import { Injectable } from '@nestjs/common';
import { TOKEN_CLAIMS_VERSION, type createTokenSchema, type TokenClaims } from '@chirality/contracts';
import { narrowedScope } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { z } from 'zod';
import { unknownClaimOf } from '../access/api-tokens';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { problems } from '../core/problem/problems';
import { ProjectsService } from '../project/projects.service';

export type WantedToken = z.infer<typeof createTokenSchema>;
type GrantedClaims = Pick<WantedToken, 'identityClass' | 'mayMint'> & {
  claims: TokenClaims;
  notBefore: Date | null;
  expiresAt: Date;
};

const DAY_MS = 24 * 3_600_000;
const MAX_LIFETIME_MS = 365 * DAY_MS;
/** Clocks differ a little: a year that was counted on another machine is a year. */
const TOLERANCE_MS = 60_000;

/** What a token that is asked for may do: never more than the one who asks. */
@Injectable()
export class TokenClaimsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly sessions: SessionAccess,
  ) {}

  /**
   * Throws TOKEN_SCOPE for claims beyond the token that asks, and as for unknown ids where the person has none such.
   */
  async grant(who: Principal, wanted: WantedToken): Promise<GrantedClaims> {
    // What the token that asks depends on, those that it makes depend on too.
    const criticalClaims = [...new Set([...(who.token?.claims.criticalClaims ?? []), ...wanted.criticalClaims])];
    const asked = { ver: TOKEN_CLAIMS_VERSION, criticalClaims };
    const unknown = unknownClaimOf(asked);
    if (unknown !== null) throw problems.criticalClaimUnknown(unknown);
    const expiresAtMs = expiryOf(who, wanted);
    const notBefore = wanted.notBefore === undefined ? null : new Date(wanted.notBefore);
    if (notBefore !== null && notBefore.getTime() >= expiresAtMs)
      throw invalid('notBefore', 'The token would expire before it begins. Set a later expiresAt.');
    await this.requireNamed(who, wanted);
    const { identityClass, mayMint, projects, sessions, commands } = wanted;
    const named = { ...(projects && { projects }), ...(sessions && { sessions }), ...(commands && { commands }) };
    const scope = scopeOf(who, { ...named, identityClass, mayMint, expiresAtMs });
    return {
      identityClass: scope.identityClass,
      mayMint: scope.mayMint,
      claims: {
        ...asked,
        ...(scope.projects && { projects: [...scope.projects] }),
        ...(scope.sessions && { sessions: [...scope.sessions] }),
        ...(scope.commands && { commands: [...scope.commands] }),
      },
      notBefore,
      expiresAt: new Date(expiresAtMs),
    };
  }

  /** Each in the token's team, and to be read by who asks. */
  private async requireNamed(who: Principal, { teamId, projects = [], sessions = [] }: WantedToken): Promise<void> {
    for (const id of projects)
      if ((await this.projects.find(who, id)).teamId !== teamId) throw problems.projectNotFound();
    for (const id of sessions)
      if ((await this.sessions.forReading(who, id)).teamId !== teamId) throw problems.sessionNotFound();
  }
}

type Scope = Parameters<typeof narrowedScope>[0];

function scopeOf(who: Principal, wanted: Scope): Scope {
  if (who.token === undefined) return wanted;
  const { claims, mayMint } = who.token;
  const given: Scope = { ...claims, identityClass: who.identityClass, expiresAtMs: who.expiresAtMs, mayMint };
  const narrowed = narrowedScope(given, wanted);
  if ('wider' in narrowed)
    throw problems.tokenScope(
      `A token makes only tokens that may do no more than itself, and this one would in "${narrowed.wider}".`,
    );
  return narrowed.scope;
}

/** A day where nothing is said; where a token asks, at the longest its own. */
function expiryOf(who: Principal, { expiresAt }: WantedToken): number {
  const now = Date.now();
  const byDefault = Math.min(now + DAY_MS, who.token === undefined ? Infinity : who.expiresAtMs);
  const expiresAtMs = expiresAt === undefined ? byDefault : Date.parse(expiresAt);
  if (expiresAtMs <= now) throw invalid('expiresAt', 'The token would have expired already. Choose a later time.');
  if (expiresAtMs > now + MAX_LIFETIME_MS + TOLERANCE_MS)
    throw invalid('expiresAt', 'A token is good for a year at most. Choose an earlier time.');
  return expiresAtMs;
}

function invalid(path: string, message: string): ProblemError {
  return new ProblemError('VALIDATION_FAILED', message, { errors: [{ path, message }] });
}
