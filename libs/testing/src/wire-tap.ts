import { chmodSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Looks at what a client is about to say; true to hold these bytes, and everything after them, back for good. */
type HoldBack = (bytes: Buffer) => boolean;

/**
 * Stands between a client and a server on unix sockets, and stops the talk at an exact place: what `holdBack` says yes to
 * was meant to be sent and never arrives. With the client killed in `holdBack`, that is a crash between two of its
 * steps, found without a word of it in the product.
 */
export class WireTap {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private holdBack: HoldBack = () => false;

  private constructor(private readonly to: string) {
    this.server = createServer((client) => this.carry(client));
  }

  /** Listens at `path`; every user may connect. */
  static async open({ path, to }: { path: string; to: string }): Promise<WireTap> {
    const tap = new WireTap(to);
    await new Promise<void>((resolve, reject) => tap.server.once('error', reject).listen(path, resolve));
    chmodSync(path, 0o777);
    return tap;
  }

  /** Replaces what was held back before; answers a promise of the first time that it happens. */
  when(holdBack: HoldBack): Promise<void> {
    return new Promise((resolve) => {
      this.holdBack = (bytes) => {
        const held = holdBack(bytes);
        if (held) resolve();
        return held;
      };
    });
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private carry(client: Socket): void {
    const server = connect(this.to);
    let held = false;
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        (socket === client ? server : client).destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      held ||= this.holdBack(bytes);
      if (!held) server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => client.write(bytes));
  }
}
