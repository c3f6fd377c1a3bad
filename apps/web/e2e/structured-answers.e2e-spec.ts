import type { Page, Turn } from '@chirality/contracts';
import { findings } from './support/axe';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';
import type { Dashboard } from './support/dashboard';

jest.setTimeout(240_000);

const PET = {
  type: 'object',
  properties: { name: { type: 'string' }, paws: { type: 'array', items: { type: 'string' } } },
  required: ['name', 'paws'],
};
const REX = { name: 'Rex', paws: ['left', 'right'] };

describe('an answer as JSON', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  const attach = async ({ page }: Dashboard, text: string) => {
    await page.getByRole('button', { name: 'Answer as JSON' }).click();
    const dialog = page.getByRole('dialog', { name: 'Answer as JSON' });
    await dialog.getByLabel('JSON schema').fill(text);
    await dialog.getByRole('button', { name: 'Use for this message' }).click();
    return dialog;
  };

  it('follows the schema of its message, is read as a tree, and is gone with the next message', async () => {
    const sessionId = await product.newSession('Pets');
    const me = await product.openSignedIn(undefined, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = me;
    await me.openSession(sessionId);

    // What is no schema stays in the dialog, with what is to be corrected.
    const dialog = await attach(me, '{ "type": "array" }');
    await dialog.getByText('The answer has to be an object').waitFor();
    expect(await findings(me)).toEqual([]);
    await dialog.getByLabel('JSON schema').fill(JSON.stringify(PET, null, 2));
    await dialog.getByRole('button', { name: 'Use for this message' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove the schema' }).waitFor();

    // It outlives a reload, as the message does.
    await me.openSession(sessionId);
    await page.getByRole('button', { name: 'Remove the schema' }).waitFor();
    await me.send(`[[tool StructuredOutput ${JSON.stringify(REX)}]]`);
    await me.waitForEnds(1);
    expect(await page.getByRole('button', { name: 'Remove the schema' }).count()).toBe(0);
    const { body } = await product.owner.call<Page<Turn>>('GET', `/v1/sessions/${sessionId}/turns`);
    expect(body.data[0]).toMatchObject({ outputSchema: PET, structured: REX });

    const tree = page.getByRole('tree', { name: 'the answer' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await tree.getByRole('treeitem').first().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    expect(await focused()).toContain('"left"');
    await page.keyboard.press('ControlOrMeta+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('"left"');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await tree.getByRole('treeitem').count()).toBe(3);
    await page.getByRole('button', { name: 'Copy the answer as JSON' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(JSON.stringify(REX, null, 2));
    await page.getByRole('button', { name: 'Asked for JSON' }).click();
    await page.getByRole('tree', { name: 'the schema of the answer' }).waitFor();
    expect(await findings(me)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await findings(me)).toEqual([]);
  });

  it('that does not follow it is a failed turn, from which both can be sent again', async () => {
    const sessionId = await product.newSession('Words');
    const me = await product.openSignedIn();
    await me.openSession(sessionId);
    await attach(me, JSON.stringify(PET));
    await me.send('[[text Rex has two paws.]] [[text I said it.]]');
    await me.page.getByText('The answer does not follow its schema', { exact: true }).waitFor();
    await me.page.getByText('Rex has two paws.', { exact: true }).waitFor();
    await me.page.getByRole('button', { name: 'Edit & retry' }).click();
    await me.page.getByRole('button', { name: 'Remove the schema' }).waitFor();
    // One that only the server knows to be none is refused there, and is given back with its message.
    await me.page.getByRole('button', { name: 'Remove the schema' }).click();
    await attach(me, '{ "type": "object", "properties": { "a": { "type": "text" } } }');
    await me.send('[[text Never.]]');
    await me.page.getByText('This is no JSON Schema of draft 7').first().waitFor();
    await me.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await me.page.getByRole('button', { name: 'Remove the schema' }).waitFor();
  });
});
