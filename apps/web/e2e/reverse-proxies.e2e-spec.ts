import { readFileSync } from 'node:fs';
import { OWNER, TestClient, waitFor } from '@chirality/testing';
import { BrowserStack } from './support/browser-stack';
import { Dashboard } from './support/dashboard';
import { freePort } from './support/free-port';
import { startNarrowProxy, type NarrowProxy } from './support/narrow-proxy';
import { nginxProgram, startNginx } from './support/nginx';

jest.setTimeout(180_000);

const BASE = '/tools/chirality';
const describeWithNginx = nginxProgram() === null ? describe.skip : describe;

describe('a proxy that lets no WebSocket through', () => {
  let product: BrowserStack;
  let proxy: NarrowProxy;
  const opened: Dashboard[] = [];

  beforeAll(async () => {
    product = await BrowserStack.start();
    proxy = await startNarrowProxy(product.stack.url, { refusesUpgrades: true, holdsStreamsBack: false });
  });
  afterEach(async () => {
    for (const me of opened.splice(0)) {
      expect(me.complaints).toEqual([]);
      await me.close();
    }
  });
  afterAll(async () => {
    await proxy?.close();
    await product?.stop();
  });

  async function openThrough(sessionId: string): Promise<Dashboard> {
    const me = await Dashboard.open(product.browser, proxy.url);
    opened.push(me);
    await me.signIn(OWNER);
    await me.openSession(sessionId);
    return me;
  }

  it('leaves everything working over a stream, which the page says, and no one counts as gone', async () => {
    proxy.narrowness = { refusesUpgrades: true, holdsStreamsBack: false };
    const sessionId = await product.newSession();
    const me = await openThrough(sessionId);
    await me.page.getByText('connected without WebSocket').waitFor({ timeout: 10_000 });
    await me.send('[[tool Bash {"command":"touch made.txt"}]] [[text "Done."]]');
    await me.page.getByRole('button', { name: 'Allow once' }).click({ timeout: 60_000 });
    await me.waitForEnds(1);
    expect(await me.conversationText()).toContain('Done.');
    await me.send('[[slow words=400 delay=100]]');
    await me.stopButton.click();
    await me.waitForEnds(2);
    await me.page.reload();
    await me.page.getByText('connected without WebSocket').waitFor({ timeout: 10_000 });
    await me.waitForEnds(2);
  });

  it('and holds streams back, is asked for news, and loses no event', async () => {
    proxy.narrowness = { refusesUpgrades: true, holdsStreamsBack: true };
    const sessionId = await product.newSession();
    const me = await openThrough(sessionId);
    await me.page.getByText('connected, updates every 2 s').waitFor({ timeout: 15_000 });
    await me.send('[[text "Page by page."]]');
    await me.waitForEnds(1);
    expect(await me.conversationText()).toContain('Page by page.');
  });

  it('and swallows them without an answer, is noticed within ten seconds', async () => {
    proxy.narrowness = { refusesUpgrades: false, swallowsUpgrades: true, holdsStreamsBack: false };
    const me = await openThrough(await product.newSession());
    await me.page.getByText('connected without WebSocket').waitFor({ timeout: 10_000 });
  });

  it('for a while only, is followed by a WebSocket', async () => {
    proxy.narrowness = { refusesUpgrades: true, holdsStreamsBack: false };
    const me = await openThrough(await product.newSession());
    await me.page.getByText('connected without WebSocket').waitFor({ timeout: 10_000 });
    proxy.narrowness = { refusesUpgrades: false, holdsStreamsBack: false };
    await me.page.getByText('connected', { exact: true }).waitFor({ timeout: 40_000 });
    await me.send('[[text "Over the socket."]]');
    await me.waitForEnds(1);
  });
});

describeWithNginx('nginx with the documented configuration', () => {
  let product: BrowserStack;
  let nginx: { close(): Promise<void> } | undefined;
  let url: string;
  const opened: Dashboard[] = [];

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}${BASE}`;
    product = await BrowserStack.start({ env: { CHIRALITY_PUBLIC_URL: url, CHIRALITY_TRUST_PROXY: 'loopback' } });
    nginx = await startNginx(port, new URL(product.stack.url));
  });
  afterEach(async () => {
    for (const me of opened.splice(0)) {
      expect([me.complaints, me.foreignRequests]).toEqual([[], []]);
      await me.close();
    }
  });
  afterAll(async () => {
    await nginx?.close();
    await product?.stop();
  });

  it('serves everything below its path: signing in, a live turn, a reload', async () => {
    const me = await Dashboard.open(product.browser, url);
    opened.push(me);
    const outside: string[] = [];
    me.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith(`${BASE}/`)) outside.push(pathname);
    });
    const sessionId = await product.newSession();
    // An address deep inside, before anyone is signed in, leads back there.
    await me.page.goto(`${url}/sessions/${sessionId}`);
    await me.page.getByLabel('E-mail').fill(OWNER.email);
    await me.page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await me.page.getByRole('button', { name: 'Sign in' }).click();
    await me.composer.waitFor();
    expect(me.page.url()).toBe(`${url}/sessions/${sessionId}`);
    await me.page.getByText('connected', { exact: true }).waitFor();
    const cookies = await me.page.context().cookies(`${url}/v1/auth/refresh`);
    expect(cookies.find(({ name }) => name === 'chirality_refresh')?.path).toBe(`${BASE}/v1/auth`);

    await me.send('[[text "Below a path."]]');
    await me.waitForEnds(1);
    expect(await me.conversationText()).toContain('Below a path.');
    await me.page.reload();
    await me.waitForEnds(1);
    expect(me.page.url()).toBe(`${url}/sessions/${sessionId}`);
    expect(outside).toEqual([]);

    await me.page.goto(`${url.slice(0, -BASE.length)}${BASE}`);
    await me.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await me.page.goto(`${url}/docs`);
    await me.page.getByText('A self-hosted service in which a team shares Claude Code.').waitFor();
    expect(outside.filter((path) => path !== BASE)).toEqual([]);
  });

  it('passes on files, streams and links', async () => {
    const owner = await TestClient.login(url, OWNER.email, OWNER.password);
    const project = await owner.createProject('Harbour');
    const session = await owner.createSession(project.id);
    const turn = await owner.send(session.id, '[[tool Bash {"command":"seq 1 300 > rows.txt"}]] [[text "Made."]]', {
      autoApproveTools: ['Bash'],
    });
    expect(await owner.waitForEnd(session.id, turn.id, 60_000)).toMatchObject({ status: 'completed' });
    const me = await Dashboard.open(product.browser, url);
    opened.push(me);
    await me.signIn(OWNER);
    await me.openSession(session.id);
    await me.page.getByRole('button', { name: 'Files and changes' }).click();
    await me.page
      .getByRole('navigation', { name: 'Files', exact: true })
      .getByRole('button', { name: 'rows.txt' })
      .click();
    const [download] = await Promise.all([
      me.page.waitForEvent('download'),
      me.page
        .getByRole('button', { name: /^Download/ })
        .first()
        .click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('300');

    const { teams } = (await owner.call<{ teams: { id: string }[] }>('GET', '/v1/me')).body;
    const invited = await owner.call<{ link: string }>('POST', `/v1/teams/${teams[0]?.id}/invitations`, {
      email: 'new@example.test',
    });
    expect(invited.body.link.startsWith(`${url}/invitation#`)).toBe(true);
    const guest = await Dashboard.open(product.browser, url);
    opened.push(guest);
    await guest.page.goto(invited.body.link);
    await guest.page.getByLabel('Name').waitFor();

    const stream = await fetch(`${url}/v1/sessions/${session.id}/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${owner.token}` },
    });
    const reader = stream.body?.getReader();
    let text = '';
    const read = async () => {
      text += new TextDecoder().decode((await reader?.read())?.value);
      return text.includes('event: turn:end');
    };
    await waitFor(read, { what: 'the stream comes through at once' });
    await reader?.cancel();
  });
});
