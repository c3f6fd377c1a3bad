import type { ClientToServerEvents, ServerToClientEvents } from '@chirality/contracts';
import type { Server, Socket } from 'socket.io';
import type { Principal } from '../access/principal';

/** What the server knows of one connection. `who` is replaced when the token is refreshed or the person's roles change. */
export interface SocketData {
  who: Principal;
  clientId: string;
}

export type LiveServer = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;

export function roomOf(sessionId: string): string {
  return `events:${sessionId}`;
}

export function presenceRoomOf(sessionId: string): string {
  return `presence:${sessionId}`;
}
