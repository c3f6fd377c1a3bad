import { findings } from './support/axe';
import { BrowserStack } from './support/browser-stack';

jest.setTimeout(120_000);

describe('searching what was said', () => {
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

  it('finds an answer from the palette and the page, and opens it at its place', async () => {
    const me = await product.openSignedIn();
    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.send(`[[text "The kestrel <b>flies</b> over the quarry."]]`);
    await me.waitForEnds(1);
    await me.send(`[[text "${'A long line about something else. '.repeat(150)}"]]`);
    await me.waitForEnds(2);

    await me.page.keyboard.press('ControlOrMeta+k');
    const box = me.page.getByRole('combobox', { name: /search what was said/ });
    await box.fill('kestrel flie');
    await me.page.getByRole('option', { name: /The kestrel <b>flies<\/b> over/ }).waitFor();
    await me.page.getByRole('option', { name: 'Search for “kestrel flie” in all sessions' }).click();
    await me.page.waitForURL(/\/search\?q=kestrel/);

    const results = me.page.getByRole('list', { name: 'Results' });
    const answer = results.getByRole('link', { name: /Answer/ });
    await answer.waitFor();
    expect(await answer.locator('mark').allInnerTexts()).toEqual(['kestrel', 'flies']);
    expect(await findings(me)).toEqual([]);
    await me.page.setViewportSize({ width: 390, height: 800 });
    expect(await me.overflowsSideways()).toBe(false);
    await me.page.setViewportSize({ width: 1280, height: 800 });

    await me.page.getByLabel('Status').selectOption('archived');
    await me.page.getByText('No results').first().waitFor();
    expect(me.page.url()).toContain('status=archived');
    await me.page.getByLabel('Status').selectOption('');
    await answer.press('Enter');
    await me.page.waitForURL(new RegExp(`/sessions/${sessionId}#turn_\\w+\\.\\d+$`));
    const found = me.page.locator('[aria-current="location"]');
    await found.waitFor();
    expect(await found.innerText()).toContain('kestrel');
    const place = await found.boundingBox();
    expect(place && place.y >= 0 && place.y < 700).toBe(true);

    await me.page.goto(`${new URL(me.page.url()).origin}/search?q=%22`);
    await me.page.getByText('A quotation mark is not closed').waitFor();
  });
});
