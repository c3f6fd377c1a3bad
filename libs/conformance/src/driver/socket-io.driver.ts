import type { AttachAck, ClientToServerEvents, EventsMessage, ServerToClientEvents } from '@chirality/contracts';
import { io, type Socket } from 'socket.io-client';
import type { Decision, Driver, Following } from './driver';
import { EventLog, LIMIT_MS } from './event-log';
import { Refusal } from './refusal';
import { RestDriver } from './rest.driver';

type LiveSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

/** Socket.IO for events and answers to permission requests; it has no other acts, so these are REST's. */
export class SocketIoDriver extends RestDriver implements Driver {
  override readonly transport = 'socket.io';
  private readonly sockets = new Set<LiveSocket>();
  private answering: Promise<LiveSocket> | null = null;

  override async answer(session: string, permissionId: string, decision: Decision): Promise<void> {
    const socket = await (this.answering ??= this.connect());
    const answer = (await socket
      .timeout(LIMIT_MS)
      .emitWithAck('permission:answer', { session, permissionId, decision })) as object;
    if ('code' in answer) throw Refusal.of(answer);
  }

  override async follow(session: string, after: number): Promise<Following> {
    const socket = await this.connect();
    const log = new EventLog(() => void socket.disconnect());
    socket.on('events', (message: EventsMessage) => {
      if (message.session === session) log.push(message.events);
    });
    socket.on('session:closed', ({ problem }) => log.end(problem.code));
    socket.on('disconnect', (reason) => log.end(reason));
    const answer = (await socket.timeout(LIMIT_MS).emitWithAck('session:attach', { session, after })) as AttachAck;
    if ('code' in answer) throw Refusal.of(answer);
    return log;
  }

  override async close(): Promise<void> {
    for (const socket of this.sockets) socket.disconnect();
    await super.close();
  }

  private async connect(): Promise<LiveSocket> {
    const { origin, pathname } = new URL(this.target.url);
    const socket: LiveSocket = io(origin, {
      path: `${pathname.replace(/\/$/, '')}/socket.io`,
      transports: ['websocket'],
      auth: { token: this.target.token },
      reconnection: false,
      forceNew: true,
    });
    this.sockets.add(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', (error: Error & { data?: unknown }) =>
        reject(error.data === undefined ? error : Refusal.of(error.data)),
      );
    });
    return socket;
  }
}
