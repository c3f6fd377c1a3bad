import { CLOSE_CODES, type ClientFrame, type ServerFrame } from '@chirality/contracts';
import { mayCommand, newId } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { WebSocket } from 'ws';
import type { Principal } from '../access/principal';
import { MESSAGE_BODY_BYTES, SMALL_BODY_BYTES } from '../core/http/body.middleware';
import { problemDocument, problems } from '../core/problem/problems';
import type { OpenSocket } from '../live/live-sockets';
import type { LeavingCaller } from '../turn/turn-watch';

const CLOSING_MS = 3_000;
const MAX_CLOSE_REASON = 100;
/** Faulty frames, and frames beyond the rate, that may follow each other without a good one between. */
const MAX_FAULTS = 20;
const MAX_BEYOND_RATE = 300;

type FrameId = ClientFrame['id'];
/** What the connection hands on; nothing of it may throw. */
export interface ConnectionOwner {
  /** What came, not looked at yet. */
  message(connection: WebsocketConnection, data: Buffer, isBinary: boolean): void;
  /** Something is sent to it on its demand. */
  pressed(connection: WebsocketConnection): void;
  gone(connection: WebsocketConnection): void;
}
/**
 * A member of the WebSocket that its types do not show: how large a frame may be is raised once its sender is known.
 */
type WithReceiver = { _receiver?: { _maxPayload: number } };

/** One WebSocket: frames in and out, its token, and its end. What frames ask for is the owner's. */
export class WebsocketConnection implements OpenSocket, LeavingCaller {
  readonly id = newId('client');
  readonly transport = 'websocket';
  /** Whether a ping was answered, or anything came, since the last look. */
  isAlive = true;
  /** `shaking`: a handshake is being checked; commands that follow it wait. */
  phase: 'new' | 'shaking' | 'open' | 'closed' = 'new';
  handshake: Promise<void> = Promise.resolve();
  reading: Promise<unknown> = Promise.resolve();
  running = 0;
  private principal: Principal | null = null;
  private faults = 0;
  private beyondRate = 0;

  constructor(
    private readonly socket: WebSocket,
    owner: ConnectionOwner,
  ) {
    socket.on('pong', () => (this.isAlive = true));
    socket.on('message', (data: Buffer, isBinary) => {
      this.isAlive = true;
      if (this.phase !== 'closed') owner.message(this, data, isBinary);
    });
    // Its pong is sent already, and waits with the rest.
    socket.on('ping', () => owner.pressed(this));
    // A frame that breaks the protocol, or is too large, closes it with the standard's code.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.phase = 'closed';
      owner.gone(this);
    });
  }

  get who(): Principal {
    if (this.principal === null) throw problems.unauthenticated();
    return this.principal;
  }

  set who(who: Principal) {
    this.principal = who;
  }

  get isProven(): boolean {
    return this.principal !== null;
  }

  /** Sent and not yet taken by the network. */
  get waitingBytes(): number {
    return this.socket.bufferedAmount;
  }

  /** As the types of sockets have it. */
  get raw(): WebSocket {
    return this.socket;
  }

  get destroyed(): boolean {
    return this.socket.readyState !== this.socket.OPEN;
  }

  once(event: 'close', act: () => void): void {
    this.socket.once(event, act);
  }

  off(event: 'close', act: () => void): void {
    this.socket.off(event, act);
  }

  /** From now on frames may be as long as the longest command that this sender may give. */
  takeLongFrames(): void {
    const receiver = (this.socket as WithReceiver)._receiver;
    const { token } = this.who;
    const sendsMessages = token === undefined || mayCommand(token.claims, 'turn:send');
    if (receiver) receiver._maxPayload = sendsMessages ? MESSAGE_BODY_BYTES : SMALL_BODY_BYTES;
  }

  send(frame: ServerFrame): void {
    if (!this.destroyed) this.socket.send(JSON.stringify(frame));
  }

  refuse(problem: ProblemError, id?: FrameId): void {
    const requestId = newId('request');
    this.send({ frame: 'error', ...(id === undefined ? {} : { id }), body: problemDocument(problem, requestId) });
  }

  /** Refuses what no client of the protocol sends, and ends a connection that sends little else. */
  fault(problem: ProblemError, id?: FrameId): void {
    this.faults += 1;
    this.refuseOrEnd(problem, id, this.faults > MAX_FAULTS);
  }

  /** Refuses a frame beyond the rate, and ends a connection that does not slow down. */
  tooFast(problem: ProblemError, id?: FrameId): void {
    this.beyondRate += 1;
    this.refuseOrEnd(problem, id, this.beyondRate > MAX_BEYOND_RATE);
  }

  withinRate(): void {
    this.beyondRate = 0;
  }

  wellFormed(): void {
    this.faults = 0;
  }

  private refuseOrEnd(problem: ProblemError, id: FrameId, isEnough: boolean): void {
    this.refuse(problem, id);
    if (isEnough) this.close(CLOSE_CODES.misused, problem.code);
  }

  announceExpiry(expiresAtMs: number): void {
    const body = { expiresAt: new Date(expiresAtMs).toISOString() };
    this.send({ frame: 'notice', kind: 'token:expiring', body });
  }

  /** The token has ended, or was revoked. */
  end(): void {
    const problem =
      this.principal?.token === undefined
        ? problems.unauthenticated('This sign-in has ended. Sign in again.')
        : this.principal.expiresAtMs <= Date.now()
          ? problems.tokenExpired()
          : problems.tokenRevoked();
    this.refuse(problem);
    this.close(CLOSE_CODES.signedOut, problem.code);
  }

  /** Says why, and cuts the connection where the client does not take the goodbye. */
  close(code: number, reason: string): void {
    if (this.phase === 'closed') return;
    this.phase = 'closed';
    this.socket.close(code, reason.slice(0, MAX_CLOSE_REASON));
    setTimeout(() => this.socket.terminate(), CLOSING_MS).unref();
  }

  /** Ends it where nothing came since the last look, and asks again. */
  lookAlive(): void {
    if (!this.isAlive) return this.socket.terminate();
    this.isAlive = false;
    this.socket.ping();
  }
}
