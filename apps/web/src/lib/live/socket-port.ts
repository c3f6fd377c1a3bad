import type { ClientToServerEvents, ServerToClientEvents } from '@chirality/contracts';

export type ConnectProblem = { code: string | null };

/** The parts of a live connection that its owner uses; Socket.IO in the browser, a script in tests. */
export interface SocketPort {
  readonly connected: boolean;
  /** Opens with the token of now. Ends in `onOpen` or `onClosed`. */
  connect(token: string): void;
  /** Ends an open connection, which ends in `onClosed` before this returns; nothing happens to one that is not open. */
  disconnect(): void;
  emit<K extends keyof ClientToServerEvents>(name: K, ...message: Parameters<ClientToServerEvents[K]>): void;
  on<K extends keyof ServerToClientEvents>(name: K, handler: ServerToClientEvents[K]): void;
  onOpen(handler: () => void): void;
  /** The connection ended, or could not be made; the reason only when the server gave one. */
  onClosed(handler: (problem: ConnectProblem) => void): void;
}
