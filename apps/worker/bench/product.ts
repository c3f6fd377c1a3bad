import type { Envelope, EventsMessage, HarnessName, Turn } from '@chirality/contracts';
import { OWNER, TestClient, waitFor, type Stack } from '@chirality/testing';
import { Client } from 'pg';
import { io, type Socket } from 'socket.io-client';
import { cpuSecondsOfChildren } from './cpu-time';
import { postJson } from './json-post';

export type ProductRun = {
  firstTextMs: number;
  finalMs: number;
  acceptedMs: number;
  cpuSeconds: number;
  cpuBefore: number;
  text: string;
  process: string;
  clientBytes: number;
};

const TURN_LIMIT_MS = 60_000;
const ATTACH_LIMIT_MS = 20_000;
const VIEWER_PASSWORD = 'only-looking-battery';

/**
 * The product as a person has it: a message by REST, the answer by socket. The socket is a viewer's, who may not send
 * turns: so nothing is started ahead unless it is asked for.
 */
export class Product {
  private readonly listeners = new Map<string, (envelope: Envelope, receivedAt: number) => void>();
  private received = 0;

  private constructor(
    readonly client: TestClient,
    private readonly socket: Socket,
    private readonly opener: Socket,
    private readonly database: Client,
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
    const viewer = await addViewer(client);
    const database = new Client({ connectionString: stack.postgres.url });
    await database.connect();
    const [socket, opener] = await Promise.all([connect(viewer), connect(client)]);
    return new Product(client, socket, opener, database, (await client.createProject('Bench')).id);
  }

  /** A session that is watched; nothing is made for it yet. */
  async openSession(harness: HarnessName = 'claude-code'): Promise<string> {
    const { id } = await this.client.createSession(this.projectId, { visibility: 'project', harness });
    await attach(this.socket, id);
    return id;
  }

  /** A user looked at its files, so its workspace is there; no process is. */
  async openSessionWithFiles(harness?: HarnessName): Promise<string> {
    const session = await this.openSession(harness);
    const files = await this.client.call('GET', `/v1/sessions/${session}/files?path=`);
    if (files.status !== 200) throw new Error(`the files answered ${files.status}: ${JSON.stringify(files.body)}`);
    return session;
  }

  /** Its owner opened it a while ago, and a process was started ahead. */
  async openSessionAhead(harness?: HarnessName): Promise<string> {
    const session = await this.openSession(harness);
    await attach(this.opener, session);
    const waits = async () =>
      (await this.database.query('SELECT 1 FROM parked_process WHERE session_id = $1', [session])).rowCount === 1;
    await waitFor(waits, { what: 'a process was started ahead', timeoutMs: 20_000 });
    // As long as it takes a person to write a line.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    return session;
  }

  /** What was measured makes room for what comes. */
  async closeSessions(...sessions: string[]): Promise<void> {
    // A socket has only so many places.
    for (const session of sessions)
      for (const socket of [this.socket, this.opener]) socket.emit('session:detach', { session });
    await Promise.all(sessions.map((session) => this.client.call('DELETE', `/v1/sessions/${session}`)));
    await waitFor(
      async () =>
        (await this.database.query('SELECT 1 FROM parked_process WHERE session_id = ANY($1)', [sessions])).rowCount ===
        0,
      { what: 'their processes are gone', timeoutMs: 20_000 },
    );
  }

  /** `note` sees every event of the turn as it arrives. */
  async run(
    session: string,
    message: string,
    note: (envelope: Envelope, receivedAt: number) => void = () => undefined,
  ): Promise<ProductRun> {
    const run: ProductRun = {
      firstTextMs: Number.NaN,
      finalMs: Number.NaN,
      acceptedMs: 0,
      cpuSeconds: 0,
      cpuBefore: cpuSecondsOfChildren(),
      text: '',
      process: '',
      clientBytes: 0,
    };
    const receivedBefore = this.received;
    const startedAt = performance.now();
    const ended = new Promise<void>((resolve, reject) => {
      setTimeout(
        () =>
          reject(new Error(`the end of the turn did not arrive within ${TURN_LIMIT_MS} ms: ${JSON.stringify(run)}`)),
        TURN_LIMIT_MS,
      ).unref();
      this.listeners.set(session, (envelope, now) => {
        const { kind, payload } = envelope;
        note(envelope, now);
        if (kind === 'turn:start') run.process = (payload as { process: string }).process;
        if (kind === 'chat:delta') {
          if (Number.isNaN(run.firstTextMs)) run.firstTextMs = now - startedAt;
          run.text += (payload as { text: string }).text;
        }
        if (kind === 'session:complete') run.finalMs = now - startedAt;
        if (kind === 'turn:end') resolve();
      });
    });
    // When the message is not even accepted, its end is not awaited.
    ended.catch(() => undefined);
    const answer = await postJson<{ turn: Turn }>(
      `${this.client.baseUrl}/v1/sessions/${session}/turns`,
      this.client.token,
      { message },
    );
    if (answer.status !== 202) throw new Error(`POST answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    run.acceptedMs = performance.now() - startedAt;
    await ended;
    run.clientBytes = this.received - receivedBefore;
    run.cpuSeconds = cpuSecondsOfChildren() - run.cpuBefore;
    return run;
  }

  /** Processor time of a run and of all that follows it: its state is stored half a second after its end. */
  async cpuSecondsWithStoring(run: ProductRun): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return cpuSecondsOfChildren() - run.cpuBefore;
  }

  async close(): Promise<void> {
    this.socket.disconnect();
    this.opener.disconnect();
    await this.database.end();
  }
}

async function attach(socket: Socket, session: string): Promise<void> {
  const answer = (await socket.timeout(ATTACH_LIMIT_MS).emitWithAck('session:attach', { session, after: 0 })) as {
    code?: string;
  };
  if (answer.code !== undefined) throw new Error(`${session} could not be watched: ${JSON.stringify(answer)}`);
}

async function connect(person: TestClient): Promise<Socket> {
  const socket = io(person.baseUrl, {
    transports: ['websocket'],
    forceNew: true,
    auth: { token: person.token, clientId: 'bench' },
  });
  // All sections together take longer than a token is good for.
  socket.on('token:expiring', () => void person.renewedToken().then((token) => socket.emit('auth:refresh', { token })));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

async function addViewer(owner: TestClient): Promise<TestClient> {
  const team = (await owner.call<{ data: { id: string }[] }>('GET', '/v1/teams')).body.data[0]?.id ?? '';
  const email = 'viewer@example.test';
  const invited = await owner.call<{ token: string }>('POST', `/v1/teams/${team}/invitations`, {
    email,
    role: 'viewer',
  });
  const accepted = await owner.call('POST', `/v1/invitations/${invited.body.token}/accept`, {
    name: 'Viewer',
    password: VIEWER_PASSWORD,
  });
  if (accepted.status >= 300)
    throw new Error(`the viewer could not join: ${accepted.status} ${JSON.stringify(accepted.body)}`);
  return TestClient.login(owner.baseUrl, email, VIEWER_PASSWORD);
}
