import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { Server, type ServerOptions } from 'socket.io';

/** Gives Socket.IO our options; the gateways say nothing about them. */
export class SocketAdapter extends IoAdapter {
  private server: Server | null = null;

  constructor(
    app: INestApplicationContext,
    private readonly options: (openConnections: () => number) => Partial<ServerOptions>,
  ) {
    super(app);
  }

  /** The types of the adapter's own copy of Socket.IO are the same thing under another name. */
  override createIOServer(): ReturnType<IoAdapter['createIOServer']> {
    this.server = new Server(
      this.httpServer,
      this.options(() => this.server?.engine?.clientsCount ?? 0),
    );
    return this.server as unknown as ReturnType<IoAdapter['createIOServer']>;
  }

  /** Ends every connection in the way that makes clients connect again. */
  sendClientsAway(): void {
    this.server?.engine?.close();
  }
}
