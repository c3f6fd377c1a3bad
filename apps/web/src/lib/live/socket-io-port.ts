import type { ClientToServerEvents, ServerToClientEvents } from '@chirality/contracts';
import { io, type Socket } from 'socket.io-client';
import { belowBase } from '../page/base-path';
import type { ConnectProblem, SocketPort } from './socket-port';

/** Socket.IO without its own reconnecting: when to try again is the owner's to say. */
export function socketIoPort(clientId: string): SocketPort {
  let token = '';
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io({
    path: belowBase('/socket.io'),
    transports: ['websocket'],
    autoConnect: false,
    reconnection: false,
    // Shorter than anyone waits: what swallows a WebSocket says nothing.
    timeout: 6_000,
    auth: (give) => give({ token, clientId }),
  });
  return {
    get connected() {
      return socket.connected;
    },
    connect: (next) => {
      token = next;
      socket.connect();
    },
    disconnect: () => {
      socket.disconnect();
    },
    emit: (name, ...message) => {
      socket.emit(name, ...message);
    },
    on: (name, handler) => {
      // Socket.IO's own typing of handlers cannot follow a name that is a type parameter.
      (socket.on as (event: string, act: typeof handler) => void)(name, handler);
    },
    onOpen: (handler) => {
      socket.on('connect', handler);
    },
    onClosed: (handler) => {
      socket.on('disconnect', () => handler({ code: null }));
      socket.on('connect_error', (error) => {
        const data = (error as { data?: { code?: unknown } }).data;
        const problem: ConnectProblem = { code: typeof data?.code === 'string' ? data.code : null };
        handler(problem);
      });
    },
  };
}
