import type { Server as HttpServer } from 'node:http';

/** Something that holds requests or connections open and can be asked to let go of them. */
export type Draining = { drain(): void | Promise<void> };

const REQUESTS_LIMIT_MS = 4_000;

/**
 * The order in which a server stops: no new connections, long-lived ones are asked to reconnect, running requests
 * complete within four seconds, then what is left is cut.
 */
export class Shutdown {
  private readonly parts: Draining[] = [];
  private started = false;

  get draining(): boolean {
    return this.started;
  }

  /** Parts are drained at once, in no order. */
  register(part: Draining): void {
    this.parts.push(part);
  }

  async stop(servers: HttpServer[]): Promise<void> {
    this.started = true;
    const closed = Promise.all(servers.map((http) => new Promise<void>((resolve) => http.close(() => resolve()))));
    await Promise.allSettled(this.parts.map(async (part) => part.drain()));
    for (const http of servers) http.closeIdleConnections();
    const timer = setTimeout(() => servers.forEach((http) => http.closeAllConnections()), REQUESTS_LIMIT_MS);
    await closed;
    clearTimeout(timer);
  }
}
