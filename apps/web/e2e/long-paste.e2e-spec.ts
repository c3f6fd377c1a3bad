import { createHash } from 'node:crypto';
import type { Turn } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';
import type { Dashboard } from './support/dashboard';

jest.setTimeout(240_000);

const LIMIT = 4 * 1024 * 1024;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** With the browser's own clipboard and key, as a person does it. */
async function paste({ page, url }: Dashboard, content: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(url).origin });
  await page.evaluate((text) => navigator.clipboard.writeText(text), content);
  await page.keyboard.press('Control+V');
}

const chipOf = ({ page }: Dashboard, number = 1) =>
  page.getByRole('button', { name: new RegExp(`^Pasted text ${number} ·`) });

describe('pasting long texts', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  const turnsOf = async (sessionId: string) =>
    (await product.owner.call<{ data: Turn[] }>('GET', `/v1/sessions/${sessionId}/turns`)).body.data;
  /** Whether the model was asked with this message, to the last byte. */
  const wasAsked = (message: string) =>
    (product.stack.model?.requests() ?? []).some(({ body }) =>
      ((body as { messages?: { content: unknown }[] }).messages ?? []).some(({ content }) =>
        (Array.isArray(content) ? (content as { text?: string }[]) : [{ text: String(content) }]).some(
          ({ text }) => text !== undefined && hashOf(text) === hashOf(message),
        ),
      ),
    );
  const openNew = async (): Promise<{ me: Dashboard; sessionId: string }> => {
    const me = await product.openSignedIn();
    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.composer.focus();
    return { me, sessionId };
  };

  it.each([
    ['words', 'some words and é '.repeat(6_000), '1 line · 105 KB'],
    ['one line without a space', 'x'.repeat(100_000), '1 line · 98 KB'],
    ['50,000 lines with the line ends of Windows', 'ab\r\n'.repeat(50_000), '50,000 lines · 195 KB'],
  ])('sends %s as they were, at their place', async (_, content, extent) => {
    const { me, sessionId } = await openNew();
    await me.page.keyboard.type('Say it: [[text "Read."]] of ');
    await paste(me, content);
    await me.page.keyboard.type(' and no more.');
    expect(await chipOf(me).innerText()).toBe(`Pasted text 1 · ${extent}`);
    expect((await me.composer.inputValue()).length).toBeLessThan(100);
    await me.composer.press('Enter');
    await me.waitForEnds(1);
    const message = `Say it: [[text "Read."]] of ${content} and no more.`;
    expect(hashOf((await turnsOf(sessionId))[0]!.message)).toBe(hashOf(message));
    expect(wasAsked(message)).toBe(true);
    expect(await me.composer.inputValue()).toBe('');
    expect(await chipOf(me).count()).toBe(0);
    expect((await me.conversation.getByRole('article').first().innerText()).length).toBeLessThan(2_500);
  });

  it('takes the longest message there is, and says of a longer one how long it is, before anything is lost', async () => {
    const { me, sessionId } = await openNew();
    const content = 'é'.repeat(LIMIT / 2 - 1);
    await paste(me, content);
    await me.page.keyboard.type('abc');
    await me.page.getByText('This message has 4.00 MiB (1 byte too many); the limit is 4 MiB.').waitFor();
    expect(await me.page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await me.composer.press('Enter');
    await me.composer.press('Backspace');
    await me.page.getByRole('button', { name: 'Send' }).click();
    await waitFor(async () => (await turnsOf(sessionId)).length === 1, { what: 'the turn is accepted' });
    expect(hashOf((await turnsOf(sessionId))[0]!.message)).toBe(hashOf(`${content}ab`));
  });

  it('keeps what was pasted over a reload, and gives back what was removed by mistake', async () => {
    const { me } = await openNew();
    const content = 'line\n'.repeat(5_000);
    await me.page.keyboard.type('before ');
    await paste(me, content);
    await me.page.keyboard.type(' after');
    const written = await me.composer.inputValue();
    await me.page.reload();
    await chipOf(me).waitFor();
    expect(await me.composer.inputValue()).toBe(written);

    await me.page.getByRole('button', { name: 'Remove pasted text 1' }).click();
    expect([await me.composer.inputValue(), await chipOf(me).count()]).toEqual(['before  after', 0]);
    await me.page.getByRole('button', { name: 'Put back' }).click();
    expect([await me.composer.inputValue(), await chipOf(me).count()]).toEqual([written, 1]);

    await me.composer.press('End');
    for (let step = 0; step < ' after'.length; step += 1) await me.composer.press('ArrowLeft');
    await me.composer.press('Backspace');
    expect([await me.composer.inputValue(), await chipOf(me).count()]).toEqual(['before  after', 0]);
    await me.composer.press('Control+Z');
    expect([await me.composer.inputValue(), await chipOf(me).count()]).toEqual([written, 1]);
  });

  it('shows what was pasted, and makes it part of the text', async () => {
    const { me } = await openNew();
    const content = 'line\n'.repeat(5_000);
    await paste(me, content);
    await me.composer.press('Control+Z');
    expect([await me.composer.inputValue(), await chipOf(me).count()]).toEqual(['', 0]);
    await me.composer.press('Control+V');
    await me.composer.press('Control+A');
    await me.composer.press('Control+C');
    expect(hashOf(await me.page.evaluate(() => navigator.clipboard.readText()))).toBe(hashOf(content));
    await me.composer.press('End');

    const chip = chipOf(me, 2);
    await chip.press('Enter');
    const dialog = me.page.getByRole('dialog', { name: 'Pasted text 2' });
    expect((await dialog.locator('p').first().innerText()).length).toBeGreaterThan(20_000);
    await me.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitFor(() => chip.evaluate((button) => button === document.activeElement), {
      what: 'the focus is where it was',
    });
    await chip.press('Enter');
    await dialog.getByRole('button', { name: 'Edit in the message' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await me.composer.inputValue()).toBe(content);
    expect(await chip.count()).toBe(0);
  });

  it('gives a message that was refused back with what was pasted', async () => {
    const { me, sessionId } = await openNew();
    const content = 'text '.repeat(10_000);
    await product.owner.call('POST', `/v1/sessions/${sessionId}/turns`, { message: '[[slow words=20 delay=50]]' });
    await me.waitForEnds(1);
    await me.page.route('**/turns', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 409,
            contentType: 'application/problem+json',
            body: JSON.stringify({ status: 409, code: 'TURN_IN_PROGRESS', detail: 'Another turn is running.' }),
          })
        : route.fallback(),
    );
    await me.page.keyboard.type('Look: ');
    await paste(me, content);
    await me.composer.press('Enter');
    await me.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await chipOf(me).waitFor();
    expect((await me.composer.inputValue()).replaceAll('\u00a0', ' ')).toBe('Look: [Pasted text 1]');
    await me.page.unroute('**/turns');
    await me.composer.press('Enter');
    await me.waitForEnds(2);
    expect((await turnsOf(sessionId)).map(({ message }) => hashOf(message))).toContain(hashOf(`Look: ${content}`));
  });

  it('starts a session with them', async () => {
    const project = await product.owner.createProject('Started');
    const me = await product.openSignedIn();
    await me.page.goto(`${me.url}/projects/${project.id}`);
    const field = me.page.getByRole('textbox', { name: 'First message' });
    await field.focus();
    const content = 'text '.repeat(10_000);
    await me.page.keyboard.type('[[text "Read."]] ');
    await paste(me, content);
    await chipOf(me).waitFor();
    await field.press('Enter');
    await me.waitForEnds(1);
    expect(hashOf((await turnsOf(me.page.url().split('/').at(-1)!))[0]!.message)).toBe(
      hashOf(`[[text "Read."]] ${content}`),
    );
  });
});
