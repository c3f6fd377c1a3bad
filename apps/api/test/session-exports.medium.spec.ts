import { EventRepository } from '@chirality/database';
import { seedConversation } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

const EVENTS = 6_000;
const HOSTILE =
  'See <img src=x onerror=alert(1)> [here](javascript:alert(1)) and `code`\n\n```\n<script>alert(2)</script>\n```';

describe('exporting a session', () => {
  let api: ApiHarness;
  let owner: ApiClient;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
  }, 120_000);
  afterAll(() => api.stop());

  const download = (sessionId: string, format: string) =>
    owner
      .get(`/v1/sessions/${sessionId}/export?format=${format}`)
      .buffer(true)
      .parse(asText as never)
      .expect(200);

  it('as JSONL is the log itself, one envelope a line, from the first to the last', async () => {
    const session = await owner.createSession((await owner.createProject()).id, { title: 'Überblick / 1' });
    await seedConversation(api.worker.database.pool, { id: session.id, teamId: session.teamId }, EVENTS);
    const answer = await download(session.id, 'jsonl');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="_berblick _ 1.jsonl"; filename*=UTF-8''%C3%9Cberblick%20_%201.jsonl`,
      'x-content-type-options': 'nosniff',
    });
    const lines = textOf(answer).trimEnd().split('\n');
    const log = await new EventRepository(api.worker.database).readEvents(session.id, { after: 0, limit: EVENTS + 1 });
    expect(lines).toHaveLength(EVENTS);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(JSON.stringify(log)));
  });

  it('for readers has every turn once and in order, over the pages of a long session', async () => {
    const session = await owner.createSession((await owner.createProject()).id, { title: 'Long' });
    await seedConversation(api.worker.database.pool, { id: session.id, teamId: session.teamId }, EVENTS);
    const markdown = textOf(await download(session.id, 'markdown'));
    const numbers = [...markdown.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: EVENTS / 10 }, (_, index) => index + 1));
    const html = textOf(await download(session.id, 'html'));
    expect([...html.matchAll(/<section>/g)]).toHaveLength(EVENTS / 10);
    expect(html.endsWith('</html>\n')).toBe(true);
  });

  it('lets nothing of the session become a script, a link to one, or a request', async () => {
    const session = await owner.createSession((await owner.createProject()).id, { title: '<b>T</b>' });
    await owner.sendTurn(session.id, HOSTILE);
    const turn = await api.worker.claimOf(session.id);
    await api.worker.become(turn, 'spawned');
    const text = `${HOSTILE}\n\n![pixel](https://tracker.example/p.png)`;
    await api.worker.append(turn, 'chat:complete', { messageId: 'm', block: 0, text });
    await api.worker.settle(turn);
    const html = textOf(await download(session.id, 'html'));
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
    expect(html).not.toMatch(/<script|onerror=alert\(1\)>|href="javascript:/);
    expect(html).toContain('&lt;b&gt;T&lt;/b&gt;');
    const markdown = textOf(await download(session.id, 'markdown'));
    expect(markdown).toContain('# \\<b\\>T');
    expect(markdown).toContain('> See <img src=x');
  });

  it('refuses a form that there is not', async () => {
    const session = await owner.createSession((await owner.createProject()).id);
    const { body } = await owner.get(`/v1/sessions/${session.id}/export?format=pdf`).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

type Answer = { body: unknown };
const textOf = ({ body }: Answer) => String(body);

/** The body as it came: superagent would read lines of JSON as one value. */
function asText(response: NodeJS.ReadableStream, done: (error: Error | null, text: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks).toString()));
}
