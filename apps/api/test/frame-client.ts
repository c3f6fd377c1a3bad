import type { ClientRequest, IncomingMessage } from 'node:http';
import { PROTOCOL_VERSION, type Envelope, type Problem, type ServerFrame } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { WebSocket, type ClientOptions } from 'ws';

type Answer = Extract<ServerFrame, { frame: 'answer' | 'error' | 'handshake' }>;

/** A plain WebSocket of `/v1/ws` that remembers its frames. */
export class FrameClient {
  readonly frames: ServerFrame[] = [];
  closed: { code: number; reason: string } | null = null;
  private lastId = 0;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.frames.push(JSON.parse(data.toString('utf8')) as ServerFrame));
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    socket.on('error', () => undefined);
  }

  /** Rejects with the problem where the upgrade is refused. */
  static async connect(
    url: string,
    { query = '', protocols = [], ...options }: ClientOptions & { query?: string; protocols?: string[] } = {},
  ): Promise<FrameClient> {
    const client = new FrameClient(new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws${query}`, protocols, options));
    await new Promise<void>((resolve, reject) => {
      client.socket.once('open', resolve);
      client.socket.once('unexpected-response', (_: ClientRequest, response: IncomingMessage) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('end', () => {
          const problem = JSON.parse(Buffer.concat(parts).toString()) as Problem;
          reject(Object.assign(new Error(problem.detail), problem));
        });
      });
    });
    return client;
  }

  /** Connected, and its handshake answered. */
  static async open(url: string, token: string | null, query = ''): Promise<FrameClient> {
    const client = await FrameClient.connect(url, { query });
    await client.shake(token);
    return client;
  }

  async shake(token: string | null, body: object = {}): Promise<Answer> {
    return this.ask({
      frame: 'handshake',
      body: { protocolVersion: PROTOCOL_VERSION, ...(token && { token }), ...body },
    });
  }

  command(command: string, body: object = {}): Promise<Answer> {
    return this.ask({ frame: 'command', command, body });
  }

  async ask(frame: object): Promise<Answer> {
    const id = `f${++this.lastId}`;
    this.socket.send(JSON.stringify({ ...frame, id }));
    const own = () => this.frames.find((each): each is Answer => 'id' in each && each.id === id);
    await waitFor(() => own() !== undefined || this.closed !== null, {
      what: `an answer to ${JSON.stringify(frame).slice(0, 200)}`,
    });
    const answer = own();
    if (!answer) throw new Error(`closed before the answer: ${JSON.stringify(this.closed)}`);
    return answer;
  }

  get events(): Envelope[] {
    return this.frames.flatMap((each) => (each.frame === 'event' ? [each.body] : []));
  }

  get errors(): Problem[] {
    return this.frames.flatMap((each) => (each.frame === 'error' ? [each.body] : []));
  }

  async until(eventId: number): Promise<Envelope[]> {
    await waitFor(() => (this.events.at(-1)?.id ?? 0) >= eventId, { what: `event ${eventId}`, timeoutMs: 20_000 });
    return this.events;
  }

  async untilClosed(timeoutMs = 8_000): Promise<{ code: number; reason: string }> {
    await waitFor(() => this.closed !== null, { what: 'the connection is closed', timeoutMs });
    return this.closed as { code: number; reason: string };
  }

  close(): void {
    this.socket.close();
  }
}
