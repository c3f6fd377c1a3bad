import { BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('losing the connection', () => {
  let product: BrowserStack;

  beforeAll(async () => {
    product = await BrowserStack.start();
  });
  afterEach(async () => {
    expect(await product.closeWindows()).toEqual([]);
  });
  afterAll(async () => {
    await product?.stop();
  });

  it('for a while costs nothing: what was said meanwhile is there', async () => {
    const me = await product.openSignedIn();
    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.send('[[slow words=60 delay=50]]');
    await me.conversation.locator('.prose').first().waitFor();
    await me.page.context().setOffline(true);
    await product.stack.restartApi();
    await me.page.getByText('Reconnecting…').waitFor();
    await me.page.context().setOffline(false);
    await me.waitForEnds(1);
    expect(await me.page.getByText('Reconnecting…').count()).toBe(0);

    const shown = await me.conversationText();
    await me.page.reload();
    await me.waitForEnds(1);
    expect(await me.conversationText()).toBe(shown);
  });

  it('while sending loses no message and sends none twice', async () => {
    const me = await product.openSignedIn();
    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    let lost = 0;
    await me.page.route('**/turns', async (route) => {
      if (route.request().method() !== 'POST' || lost >= 2) return route.fallback();
      lost += 1;
      // The first reaches the server and only its answer is lost; the second never leaves.
      if (lost === 1) await route.fetch();
      await route.abort('connectionreset');
    });
    const confirmed = me.page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/turns'),
    );
    await me.send('Only once: [[text "One answer."]]');
    await me.waitForEnds(1);
    // Seen while its sender does not know yet that it arrived, and once that is known.
    expect(await me.conversation.getByRole('article').count()).toBe(1);
    await confirmed;
    expect(lost).toBe(2);
    expect(await me.conversation.getByRole('article').count()).toBe(1);
    const turns = await product.owner.call<{ data: unknown[] }>('GET', `/v1/sessions/${sessionId}/turns`);
    expect(turns.body.data).toHaveLength(1);
  });

  it('with a message on its way keeps it over a reload', async () => {
    const me = await product.openSignedIn();
    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.page.route('**/turns', (route) =>
      route.request().method() === 'POST' ? route.abort('connectionreset') : route.fallback(),
    );
    await me.send('Still mine: [[text "Arrived."]]');
    await me.page.getByText('Not sent yet').waitFor();
    await me.page.unroute('**/turns');
    await me.page.reload();
    await me.waitForEnds(1);
    expect(await me.conversationText()).toContain('Arrived.');
    expect(await me.conversation.getByRole('article').count()).toBe(1);
  });
});
