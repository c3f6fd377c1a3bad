import type { Attachment, Turn } from '@chirality/contracts';
import { OWNER, samplePdf, samplePng, startStack, TestClient, waitFor, type Stack } from '@chirality/testing';
import { Client } from 'pg';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(180_000);

const MIB = 1024 * 1024;

type Block = { type: string; text?: string; source?: { type: string; media_type: string; data: string } };
type Message = { role: string; content: string | Block[] };

/** The real program with what people attach: what reaches the model's service, and what its tools find. */
describe('files that go with a message', () => {
  let stack: Stack;
  let owner: TestClient;
  let projectId: string;
  let watched: WatchedSession;
  let database: Client;

  beforeAll(async () => {
    stack = await startStack();
    owner = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    projectId = (await owner.createProject()).id;
    database = new Client({ connectionString: stack.postgres.url });
    await database.connect();
  });
  beforeEach(async () => {
    watched = await WatchedSession.open(owner, projectId, { options: { autoApproveTools: ['Bash'] } });
  });
  afterEach(async () => {
    await watched.expectLawful();
    watched.close();
  });
  afterAll(async () => {
    await database?.end();
    await stack?.stop();
  });

  async function upload(name: string, content: Buffer | string): Promise<Attachment> {
    const response = await fetch(
      `${stack.url}/v1/sessions/${watched.id}/attachments?name=${encodeURIComponent(name)}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}` },
        body: content,
      },
    );
    expect(response.status).toBe(201);
    return (await response.json()) as Attachment;
  }

  async function run(message: string, attachments: Attachment[] = []): Promise<Turn> {
    const { status, body } = await owner.call<{ turn: Turn }>('POST', `/v1/sessions/${watched.id}/turns`, {
      message,
      attachments: attachments.map(({ id }) => id),
    });
    expect(status).toBe(202);
    return watched.end(body.turn);
  }

  /** The blocks of all messages of the person in the last request of a turn. */
  const lastBlocks = (): Block[] => {
    const requests = stack.model?.requests().filter(({ path }) => path.startsWith('/v1/messages')) ?? [];
    const { messages = [] } = (requests.at(-1)?.body ?? {}) as { messages?: Message[] };
    return messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
  };
  const kinds = () => lastBlocks().flatMap(({ type, source }) => (source ? `${type} ${source.media_type}` : []));
  const results = (turn: Turn) =>
    watched.payloads(turn, 'tool:result').map(({ content, isError }) => ({ text: JSON.stringify(content), isError }));
  const untilParked = () =>
    waitFor(
      async () =>
        (await database.query('SELECT 1 FROM parked_process WHERE session_id = $1', [watched.id])).rowCount === 1,
      { what: 'the process waits' },
    );

  it('are pictures and documents for the model, and read-only files for its tools, also of a process that waits', async () => {
    const csv = await upload('übersicht 1.csv', 'name,amount\nAda,3\n');
    const read = '[[tool Bash {"command":"cat \'/attachments/übersicht 1.csv\'"}]]';
    const change = '[[tool Bash {"command":"touch /attachments/new; ls -A /attachments"}]]';
    const first = await run(`${read}${change}[[text Read.]]`, [csv]);
    expect(first).toMatchObject({ status: 'completed', text: 'Read.', attachments: [csv] });
    expect(results(first)[0]).toMatchObject({ isError: false, text: expect.stringContaining('Ada,3') as string });
    expect(results(first)[1]?.text).toMatch(/Read-only file system/);
    expect(JSON.stringify(lastBlocks())).toContain('/attachments/übersicht 1.csv (text/plain, 18 bytes)');
    await untilParked();

    const png = samplePng(64, 48);
    const [shot, paper, log] = [
      await upload('shot.png', png),
      await upload('paper.pdf', samplePdf()),
      await upload('server.log', 'late\n'),
    ];
    const list = '[[tool Bash {"command":"cat /attachments/server.log; ls -A /attachments"}]]';
    const second = await run(`/cost ${list}[[text Seen.]]`, [shot, paper, log]);
    expect(second).toMatchObject({ status: 'completed', text: 'Seen.' });
    expect(watched.payloads(second, 'turn:start')).toMatchObject([{ process: 'parked' }]);
    expect(results(second)[0]?.text).toMatch(/late.*server\.log.*übersicht 1\.csv/);
    expect(kinds()).toEqual(['image image/png', 'document application/pdf']);
    const image = lastBlocks().find(({ type }) => type === 'image');
    expect(image?.source?.data).toBe(png.toString('base64'));
    expect(JSON.stringify(lastBlocks())).toContain('\\"shot.png\\" (picture), \\"paper.pdf\\" (document)');

    // The conversation has them in later turns; tools find the files.
    const third = await run(`${read}[[text Still there.]]`);
    expect(third).toMatchObject({ status: 'completed', text: 'Still there.', attachments: [] });
    expect(results(third)[0]?.text).toContain('Ada,3');
    expect(kinds()).toEqual(['image image/png', 'document application/pdf']);
  });

  it('may be a message without words', async () => {
    const turn = await run('', [await upload('shot.png', samplePng())]);
    expect(turn).toMatchObject({ status: 'completed', message: '' });
    expect(kinds()).toEqual(['image image/png']);
  });

  it('fail a turn by name where the model’s service refuses a picture, and the next turn works', async () => {
    const refusal = 'messages.0.content.0.image.source.base64: Could not process image';
    const failed = await run(`[[error 400 message="${refusal}"]]`, [await upload('broken.png', samplePng())]);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'ATTACHMENT_UNSUPPORTED', detail: expect.stringContaining('“broken.png”') as string },
    });
    const next = await run('[[text We can continue.]]');
    expect(next).toMatchObject({ status: 'completed', text: 'We can continue.' });
    expect(kinds()).toEqual([]);
  });

  it('are files where documents would be too much for the conversation', async () => {
    const large = [await upload('one.pdf', samplePdf(9 * MIB)), await upload('two.pdf', samplePdf(9 * MIB))];
    const turn = await run('[[tool Bash {"command":"ls -A /attachments"}]][[text Read.]]', large);
    expect(turn).toMatchObject({ status: 'completed', text: 'Read.' });
    expect(results(turn)[0]?.text).toMatch(/two\.pdf/);
    expect(kinds()).toEqual(['document application/pdf']);
  });
});
