import type { DiffComment, Turn } from '@chirality/contracts';
import { findings } from './support/axe';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';
import type { Dashboard } from './support/dashboard';

jest.setTimeout(240_000);

const write = (path: string, content: string) =>
  `[[tool Write ${JSON.stringify({ file_path: `/workspace/${path}`, content })}]][[text Written.]]`;

describe('comments on lines of changes', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  const openChanges = async ({ page }: Dashboard) => {
    await page.getByRole('button', { name: 'Files and changes', exact: true }).click();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('region', { name: 'Changes of list.ts' }).waitFor();
  };
  const run = async (sessionId: string, message: string) => {
    const { id } = await product.owner.send(sessionId, message);
    return product.owner.waitForEnd(sessionId, id);
  };
  const latest = async (sessionId: string) =>
    (await product.owner.call<{ data: Turn[] }>('GET', `/v1/sessions/${sessionId}/turns`)).body.data[0]!;
  const bar = ({ page }: Dashboard) => page.getByRole('region', { name: /comments? to send/ });

  it('are written by mouse, keyboard and touch, by several people, and go to Claude as one message', async () => {
    const sessionId = await product.newSession();
    await run(sessionId, write('list.ts', `const a = 1;\nconst b = 2;\nconst c = 3;\n// ${'wide '.repeat(60)}\n`));
    const me = await product.openSignedIn();
    await me.openSession(sessionId);
    await openChanges(me);
    await me.page.getByRole('cell', { name: 'const b = 2;' }).hover();
    await me.page.getByRole('button', { name: 'Comment on line 2' }).click();
    await me.page.getByRole('textbox', { name: 'Comment on list.ts, line 2' }).fill('Rename b to count.');
    await me.page.getByRole('combobox', { name: 'through line' }).selectOption('3');
    await me.page.getByRole('textbox', { name: 'Comment on list.ts, lines 2–3' }).press('Control+Enter');
    await bar(me).getByText('Rename b to count.').waitFor();
    expect(await findings(me)).toEqual([]);

    // By keyboard alone: Tab to the diff’s first line, then by arrows.
    await me.page.getByRole('button', { name: 'Comment on line 1' }).focus();
    await me.page.keyboard.press('ArrowDown');
    await me.page.keyboard.press('ArrowDown');
    await me.page.keyboard.press('ArrowUp');
    await me.page.keyboard.press('ArrowUp');
    await me.page.keyboard.press('Enter');
    await me.page.keyboard.type('Not finished');
    await me.page.keyboard.press('Escape');
    await me.page.keyboard.press('Enter');
    await me.page.keyboard.type(' yet.');
    await me.page.keyboard.press('Control+Enter');
    await bar(me).getByText('Not finished yet.').waitFor();

    // A line wider than the panel does not take the comments out of sight.
    const changes = me.page.getByRole('region', { name: 'Changes of list.ts' });
    const panel = await changes.boundingBox();
    const card = await changes.getByRole('article').first().boundingBox();
    expect(card!.x + card!.width).toBeLessThanOrEqual(panel!.x + panel!.width);

    const person = await product.newMember('Bo');
    const other = await product.openSignedIn(person, { viewport: { width: 390, height: 780 }, hasTouch: true });
    await other.openSession(sessionId);
    await openChanges(other);
    await other.page.getByRole('button', { name: 'Comment on line 3' }).tap();
    await other.page.getByRole('textbox', { name: 'Comment on list.ts, line 3' }).fill('Is c needed?');
    await other.page.getByRole('button', { name: 'Add comment' }).tap();
    await bar(other).getByText('Is c needed?').waitFor();
    expect(await other.overflowsSideways()).toBe(false);
    expect(await findings(other)).toEqual([]);
    await bar(me).getByText('Is c needed?').waitFor();

    await run(sessionId, write('list.ts', 'const a = 1;\nconst b = 2;\nconst c = 4;\n'));
    await bar(me).getByText('Outdated').first().waitFor();
    await bar(me).getByRole('textbox', { name: 'Message with the comments' }).fill('[[text "Understood."]]');
    await bar(me).getByRole('button', { name: 'Send to Claude' }).click();
    await me.page.getByText('The comments were sent to Claude.').waitFor();
    await me.conversation.getByText('Understood.', { exact: true }).waitFor();
    const turn = await latest(sessionId);
    expect(turn.message).toMatch(
      /1\. "list\.ts", line 1\n```\nconst a = 1;\n```\nComment of "Owner": Not finished yet\./,
    );
    expect(turn.message).toMatch(
      /lines 2–3\n```\nconst b = 2;\nconst c = 3;\n```\nOutdated: .*\nComment of "Owner": Rename/,
    );
    expect(turn.message).toMatch(/line 3\n```\nconst c = 3;\n```\nOutdated: .*\nComment of "Bo": Is c needed\?/);
    const left = await product.owner.call<{ data: DiffComment[] }>('GET', `/v1/sessions/${sessionId}/comments`);
    expect(left.body.data).toEqual([]);
  });
});
