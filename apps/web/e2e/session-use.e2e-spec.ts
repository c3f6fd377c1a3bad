import { OWNER } from '@chirality/testing';
import { BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('using a session', () => {
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

  it('goes from signing in to an answer, which a reload shows again', async () => {
    const me = await product.open();
    await me.signIn(OWNER);
    await me.createProject('First');
    await me.createSession();
    await me.send('Say it: [[text "The **first** answer."]]');
    await me.waitForEnds(1);
    expect(await me.conversation.getByRole('article', { name: 'Message of Owner' }).innerText()).toContain('Say it');
    expect(await me.conversation.locator('strong', { hasText: 'first' }).count()).toBe(1);
    expect(await me.composer.inputValue()).toBe('');

    const before = await me.conversationText();
    await me.page.reload();
    await me.waitForEnds(1);
    expect(await me.conversationText()).toBe(before);
    expect(before).toContain('The first answer.');
  });

  it('shows the answer while it is written, and never a raw mark of it', async () => {
    const me = await product.openSignedIn();
    await me.openSession(await product.newSession());
    await me.page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const text = document.querySelector('[data-row="item"] .prose')?.textContent ?? '';
        if (seen.at(-1) !== text) seen.push(text);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await me.send('[[text "Some **bold words** and `code here` to read." by=word delay=60]]');
    await me.waitForEnds(1);
    const seen = await me.page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.at(-1)).toBe('Some bold words and code here to read.');
    expect(seen.filter((text) => /[*`]/.test(text))).toEqual([]);
  });

  it('asks before a command runs, and continues as it was answered', async () => {
    const me = await product.openSignedIn();
    await me.openSession(await product.newSession());
    await me.send('[[tool Bash {"command":"echo allowed > made.txt"}]] [[text "It is made."]]');
    const card = me.page.getByRole('region', { name: 'Claude waits for an answer' });
    await card.waitFor();
    expect(await card.getByLabel('Command').innerText()).toBe('echo allowed > made.txt');
    await card.getByRole('button', { name: 'Allow once' }).click();
    await me.waitForEnds(1);
    expect(await me.conversationText()).toContain('It is made.');

    await me.send('[[tool Bash {"command":"echo denied > other.txt"}]] [[text "Then not."]]');
    await card.getByRole('button', { name: 'Deny with a reason…' }).click();
    await card.getByLabel('Reason (Claude will see it)').fill('not now');
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    await me.waitForEnds(2);
    await me.conversation.getByText('allowed by Owner').waitFor();
    await me.conversation.getByText('denied by Owner: not now').waitFor();
    const denied = me.conversation.getByRole('button', { name: /echo denied/ });
    await denied.click();
    expect(await me.conversation.getByText(/^Denied by Owner: not now/).count()).toBe(1);

    await me.page.getByRole('button', { name: 'Files and changes' }).click();
    await me.page.getByRole('complementary', { name: 'Workspace' }).getByRole('button', { name: 'made.txt' }).click();
    await me.page.getByRole('region', { name: 'Content of made.txt' }).getByText('allowed').waitFor();
  });

  it('stops a turn and takes the next message', async () => {
    const me = await product.openSignedIn();
    await me.openSession(await product.newSession());
    await me.send('[[slow words=400 delay=100]]');
    await me.conversation.locator('.prose').first().waitFor();
    await me.stopButton.click();
    await me.page.getByText('Stopped by Owner', { exact: true }).waitFor();
    await me.send('[[text "Here again."]]');
    await me.waitForEnds(2);
    expect(await me.conversationText()).toContain('Here again.');
  });

  it('shows two people the same, with who wrote what and who is here', async () => {
    const bo = await product.newMember('Bo');
    const sessionId = await product.newSession();
    const [mine, theirs] = [await product.openSignedIn(), await product.openSignedIn(bo)];
    await Promise.all([mine.openSession(sessionId), theirs.openSession(sessionId)]);
    await mine.page.getByRole('img', { name: 'Also here: Bo' }).waitFor();

    await theirs.composer.pressSequentially('I type');
    await mine.page.getByText('Bo is typing…').waitFor();
    await theirs.send('From Bo: [[slow words=20 delay=100]]');
    await mine.conversation.getByRole('article', { name: 'Message of Bo' }).waitFor();
    await mine.page.getByText('Bo’s turn has been running since').waitFor();
    await Promise.all([mine.waitForEnds(1), theirs.waitForEnds(1)]);

    await mine.send('From me: [[tool Bash {"command":"date > now.txt"}]] [[text "Done together."]]');
    await theirs.page.getByRole('button', { name: 'Allow once' }).click();
    await Promise.all([mine.waitForEnds(2), theirs.waitForEnds(2)]);
    expect(await mine.conversationText()).toBe(await theirs.conversationText());
    await mine.conversation.getByRole('button', { name: /date > now.txt/ }).click();
    await mine.conversation.getByText('Allowed once by Bo').waitFor();
  });

  it('follows the answer at its end, and leaves a reader further up where they are', async () => {
    const me = await product.openSignedIn();
    await me.openSession(await product.newSession());
    await me.send('[[long chars=9000]]');
    await me.waitForEnds(1);
    const distance = () =>
      me.conversation.evaluate((list) => Math.round(list.scrollHeight - list.scrollTop - list.clientHeight));
    expect(await distance()).toBeLessThanOrEqual(2);

    await me.send('[[slow words=80 delay=60]]');
    await me.conversation.locator('.prose', { hasText: /\w/ }).last().waitFor();
    await me.conversation.press('PageUp');
    await me.page.getByRole('button', { name: 'New messages' }).waitFor();
    const top = await me.restingPlace();
    await me.stopButton.waitFor({ state: 'detached' });
    expect(await me.conversation.evaluate((list) => list.scrollTop)).toBe(top);
    await me.page.getByRole('button', { name: 'New messages' }).click();
    expect(await distance()).toBeLessThanOrEqual(2);

    await me.page.getByRole('button', { name: 'Messages of this session' }).click();
    await me.page.getByRole('button', { name: 'Jump to the beginning' }).click();
    await me.conversation.getByRole('article').first().getByText('long chars=9000').waitFor();
  });

  it('keeps what was written and not sent', async () => {
    const me = await product.openSignedIn();
    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.composer.fill('half a thought');
    await me.page.reload();
    await me.composer.waitFor();
    expect(await me.composer.inputValue()).toBe('half a thought');
    await me.composer.press('End');
    await me.composer.press('Shift+Enter');
    expect(await me.composer.inputValue()).toBe('half a thought\n');
  });

  it('starts one from the palette, which has the keyboard, and takes back its archiving', async () => {
    const me = await product.openSignedIn();
    const { page } = me;
    await me.createProject('Palette');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('new session');
    await page.getByRole('option', { name: 'New session… Start in Palette' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start session' }).click();
    await page.waitForURL(/\/sessions\//);
    await page.waitForFunction(() => document.activeElement?.id === 'composer');
    const address = page.url();

    await page.getByRole('button', { name: 'More for this session' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The session was archived.').waitFor({ state: 'detached' });
    await page.goto(address);
    await me.composer.waitFor();
  });
});
