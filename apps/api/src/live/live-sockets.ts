import { Injectable } from '@nestjs/common';
import type { Problem } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { metrics, ProblemError } from '@chirality/platform';
import { AccessWatch } from '../access/access-watch';
import { IdentityService } from '../access/identity.service';
import { refuseUntilPasswordIsOwn, type Principal } from '../access/principal';
import { problemDocument, problems } from '../core/problem/problems';
import { TokenClock } from '../event/token-clock';

const MAX_SOCKETS_PER_PERSON = 500;

type Connection = { clock: TokenClock; unwatch: () => void };

/** A connection of any transport, as far as it depends on the token that it was opened with. */
export interface OpenSocket {
  readonly id: string;
  readonly transport: 'socket' | 'websocket';
  /** Replaced when the token is refreshed or the person's roles change. */
  who: Principal;
  announceExpiry(expiresAtMs: number): void;
  end(): void;
}

/** The connections themselves: who opened them, by which token, until when. What they watch is another matter. */
@Injectable()
export class LiveSockets {
  private readonly connections = new Map<string, Connection>();
  private readonly perPerson = new Map<string, number>();

  constructor(
    private readonly identity: IdentityService,
    private readonly access: AccessWatch,
  ) {}

  /** Who opens a connection with the token. Throws the problem that the client sees. */
  async authenticate(token: unknown, clientId: string): Promise<Principal> {
    const who = await this.identity.ofToken(typeof token === 'string' ? token : '', clientId);
    refuseUntilPasswordIsOwn(who);
    if ((this.perPerson.get(who.user.id) ?? 0) >= MAX_SOCKETS_PER_PERSON) throw problems.rateLimited(30_000);
    return who;
  }

  opened(socket: OpenSocket): void {
    const clock = new TokenClock(
      (expiresAtMs) => socket.announceExpiry(expiresAtMs),
      () => socket.end(),
    );
    clock.set(socket.who);
    const unwatch = this.access.watch({
      get who() {
        return socket.who;
      },
      sessionId: null,
      still: async () => ({ mayAnswer: false }),
      renew: (who) => (socket.who = who),
      end: () => socket.end(),
    });
    this.connections.set(socket.id, { clock, unwatch });
    this.count(socket, 1);
  }

  closed(socket: OpenSocket): void {
    const connection = this.connections.get(socket.id);
    if (!connection) return;
    connection.clock.clear();
    connection.unwatch();
    this.connections.delete(socket.id);
    this.count(socket, -1);
  }

  /** Continues with another token of the same person. */
  async refresh(socket: OpenSocket, token: string): Promise<{ expiresAt: string }> {
    const who: Principal = await this.identity.ofToken(token, socket.who.clientId);
    if (who.user.id !== socket.who.user.id)
      throw problems.unauthenticated('This token is another person’s. Open a separate connection for it.');
    refuseUntilPasswordIsOwn(who);
    // A narrower or wider one would change what is open already.
    if (who.token?.id !== socket.who.token?.id && !isSuccessor(socket.who, who))
      throw problems.tokenScope('This token may do other things. Open a separate connection for it.');
    socket.who = who;
    this.connections.get(socket.id)?.clock.set(who);
    return { expiresAt: new Date(who.expiresAtMs).toISOString() };
  }

  private count({ who, transport }: OpenSocket, by: number): void {
    const userId = who.user.id;
    const now = (this.perPerson.get(userId) ?? 0) + by;
    if (now === 0) this.perPerson.delete(userId);
    else this.perPerson.set(userId, now);
    metrics.socketsOpen.inc({ transport }, by);
  }
}

/** What Socket.IO turns into `connect_error` with the problem as its `data`. */
export function connectError(error: ProblemError): Error & { data: Problem } {
  return Object.assign(new Error(error.detail), { data: problemDocument(error, newId('request')) });
}

/** Whether the later token allows exactly what the earlier one does. */
function isSuccessor(earlier: Principal, later: Principal): boolean {
  const scopeOf = ({ token, identityClass }: Principal) =>
    JSON.stringify(
      token && [token.teamId, identityClass, token.claims.projects, token.claims.sessions, token.claims.commands],
    );
  return scopeOf(earlier) === scopeOf(later);
}
