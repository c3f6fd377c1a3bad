import type { Envelope, EventsMessage, Turn } from '@chirality/contracts';
import { OWNER, TestClient, type Stack } from '@chirality/testing';
import { io, type Socket } from 'socket.io-client';
import { cpuSecondsOfChildren } from './cpu-time';

export type ProductRun = { firstTextMs: number; finalMs: number; acceptedMs: number; cpuSeconds: number; text: string; process: string; clientBytes: number };

/** The product as a person has it: a message by REST, the answer by socket. */
export class Product {
  private readonly listeners = new Map<string, (envelope: Envelope, receivedAt: number) => void>();
  private received = 0;

  private constructor(
    readonly client: TestClient,
    private readonly socket: Socket,
    private readonly projectId: string,
  ) {
    socket.on('events', ({ session, events }: EventsMessage) => {
      const now = performance.now();
      for (const envelope of events) this.listeners.get(session)?.(envelope, now);
    });
    socket.io.engine.on('packet', (packet: { data?: string }) => (this.received += packet.data?.length ?? 0));
  }

  static async open(stack: Stack): Promise<Product> {
    const client = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    const socket = io(stack.url, { transports: ['websocket'], auth: { token: client.token, clientId: 'bench' } });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    return new Product(client, socket, (await client.createProject('Bench')).id);
  }

  async openSession(): Promise<string> {
    const { id } = await this.client.createSession(this.projectId);
    await this.socket.emitWithAck('session:attach', { session: id, after: 0 });
    return id;
  }

  async run(session: string, message: string): Promise<ProductRun> {
    const run: ProductRun = { firstTextMs: Number.NaN, finalMs: Number.NaN, acceptedMs: 0, cpuSeconds: 0, text: '', process: '', clientBytes: 0 };
    const receivedBefore = this.received;
    const cpuBefore = cpuSecondsOfChildren();
    const startedAt = performance.now();
    const ended = new Promise<void>((resolve) => {
      this.listeners.set(session, ({ kind, payload }, now) => {
        if (kind === 'turn:start') run.process = (payload as { process: string }).process;
        if (kind === 'chat:delta') {
          if (Number.isNaN(run.firstTextMs)) run.firstTextMs = now - startedAt;
          run.text += (payload as { text: string }).text;
        }
        if (kind === 'session:complete') run.finalMs = now - startedAt;
        if (kind === 'turn:end') resolve();
      });
    });
    const answer = await this.client.call<{ turn: Turn }>('POST', `/v1/sessions/${session}/turns`, { message });
    if (answer.status !== 202) throw new Error(`POST answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    run.acceptedMs = performance.now() - startedAt;
    await ended;
    run.clientBytes = this.received - receivedBefore;
    run.cpuSeconds = cpuSecondsOfChildren() - cpuBefore;
    return run;
  }

  close(): void {
    this.socket.disconnect();
  }
}
