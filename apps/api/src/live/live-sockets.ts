import { Injectable } from '@nestjs/common';
import type { Problem } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { metrics, ProblemError } from '@chirality/platform';
import { AccessWatch } from '../access/access-watch';
import { IdentityService } from '../access/identity.service';
import { refuseUntilPasswordIsOwn, type Principal } from '../access/principal';
import { problemDocument, problems } from '../core/problem/problems';
import { TokenClock } from '../event/token-clock';
import type { LiveSocket } from './socket-types';

const MAX_SOCKETS_PER_PERSON = 500;
const CLIENT_ID = /^[\w.:-]{1,100}$/;

type Connection = { clock: TokenClock; unwatch: () => void };

/** The connections themselves: who opened them, by which token, until when. What they watch is another matter. */
@Injectable()
export class LiveSockets {
  private readonly connections = new Map<string, Connection>();
  private readonly perPerson = new Map<string, number>();

  constructor(
    private readonly identity: IdentityService,
    private readonly access: AccessWatch,
  ) {}

  /** Proves the token of the handshake; rejects with an error whose `data` is the problem, which the client sees. */
  async authenticate(socket: LiveSocket): Promise<void> {
    const { token, clientId } = socket.handshake.auth as { token?: unknown; clientId?: unknown };
    socket.data.clientId = typeof clientId === 'string' && CLIENT_ID.test(clientId) ? clientId : newId('client');
    const who = await this.identity.ofToken(typeof token === 'string' ? token : '', socket.data.clientId);
    refuseUntilPasswordIsOwn(who);
    if ((this.perPerson.get(who.user.id) ?? 0) >= MAX_SOCKETS_PER_PERSON) throw problems.rateLimited(30_000);
    socket.data.who = who;
  }

  opened(socket: LiveSocket): void {
    const clock = new TokenClock(
      (expiresAtMs) => socket.emit('token:expiring', { expiresAt: new Date(expiresAtMs).toISOString() }),
      () => socket.disconnect(true),
    );
    clock.set(socket.data.who);
    const unwatch = this.access.watch({
      get who() {
        return socket.data.who;
      },
      sessionId: null,
      still: async () => ({ mayAnswer: false }),
      renew: (who) => (socket.data.who = who),
      end: () => socket.disconnect(true),
    });
    this.connections.set(socket.id, { clock, unwatch });
    this.count(socket.data.who.user.id, 1);
  }

  closed(socket: LiveSocket): void {
    const connection = this.connections.get(socket.id);
    if (!connection) return;
    connection.clock.clear();
    connection.unwatch();
    this.connections.delete(socket.id);
    this.count(socket.data.who.user.id, -1);
  }

  /** Continues with another token of the same person. */
  async refresh(socket: LiveSocket, token: string): Promise<{ expiresAt: string }> {
    const who: Principal = await this.identity.ofToken(token, socket.data.clientId);
    if (who.user.id !== socket.data.who.user.id)
      throw problems.unauthenticated('This token is another person’s. Open a separate connection for it.');
    refuseUntilPasswordIsOwn(who);
    // A narrower or wider one would change what is open already.
    if (who.token?.id !== socket.data.who.token?.id && !isSuccessor(socket.data.who, who))
      throw problems.tokenScope('This token may do other things. Open a separate connection for it.');
    socket.data.who = who;
    this.connections.get(socket.id)?.clock.set(who);
    return { expiresAt: new Date(who.expiresAtMs).toISOString() };
  }

  private count(userId: string, by: number): void {
    const now = (this.perPerson.get(userId) ?? 0) + by;
    if (now === 0) this.perPerson.delete(userId);
    else this.perPerson.set(userId, now);
    metrics.socketsOpen.inc({ transport: 'socket' }, by);
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
