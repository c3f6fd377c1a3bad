import type { Page, SessionQueue, Turn } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { findings } from './support/axe';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';

jest.setTimeout(120_000);

const PICTURES = process.env['PICTURES'];
const SLOW = '[[slow words=4000 delay=100]]';

describe('writing while a turn runs', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  it('two people queue, reorder, edit and interrupt, see the same list, and each message runs once as its author', async () => {
    const project = await product.owner.createProject('Queue');
    const session = await product.owner.createSession(project.id, { visibility: 'project' });
    const [me, ada] = [await product.openSignedIn(), await product.openSignedIn(await product.newMember('Ada'))];
    await Promise.all([me.openSession(session.id), ada.openSession(session.id)]);
    const list = (who: typeof me) => who.page.getByRole('region', { name: 'Queued messages' });
    const rows = async (who: typeof me) => list(who).getByRole('listitem').allInnerTexts();
    const untilRows = (who: typeof me, wanted: RegExp[]) =>
      waitFor(
        async () => {
          const shown = await rows(who);
          return shown.length === wanted.length && wanted.every((words, at) => words.test(shown[at] ?? ''));
        },
        { what: `the queue is ${wanted.join(', ')}` },
      );
    const choose = async (who: typeof me, row: RegExp, act: string) => {
      await who.page.getByRole('button', { name: row }).click();
      await who.page.getByRole('menuitem', { name: act }).click();
    };

    await me.send(SLOW);
    await ada.page.getByRole('button', { name: 'Stop' }).waitFor();
    await ada.composer.fill('[[text "Answer for Ada."]]');
    await ada.page.keyboard.press('Enter');
    await untilRows(ada, [/Answer for Ada/]);
    await me.composer.fill('[[text "Answer two."]]');
    await picture(me, 'queue-composer');
    await me.page.getByRole('button', { name: 'Queue message' }).click();
    await untilRows(ada, [/Answer for Ada/, /Answer two/]);
    await me.composer.fill('[[text "Answer thre."]]');
    await me.page.keyboard.press('Enter');
    for (const who of [me, ada]) await untilRows(who, [/Answer for Ada/, /Answer two/, /Answer thre/]);

    await choose(ada, /More for message 3/, 'Move up');
    await untilRows(me, [/Ada/, /Answer thre/, /Answer two/]);
    await choose(me, /More for message 2/, 'Edit');
    await me.page.getByLabel('Queued message', { exact: true }).fill('[[text "Answer three."]]');
    await me.page.getByRole('button', { name: 'Save' }).click();
    for (const who of [me, ada]) await untilRows(who, [/Ada/, /Answer three\./, /Answer two/]);
    expect(await findings(me)).toEqual([]);
    await picture(me, 'queue');

    // Stopping keeps what waits and asks.
    await me.page.keyboard.press('Escape');
    await list(ada).getByText('The turn was stopped').waitFor();
    await picture(ada, 'queue-paused');
    expect(await findings(ada)).toEqual([]);
    expect(await rows(me)).toHaveLength(3);

    await me.send(SLOW);
    await ada.page.getByRole('button', { name: 'Stop' }).waitFor();
    await ada.composer.fill('[[text "Answer at once."]]');
    await ada.page.getByRole('button', { name: 'Other ways to send' }).click();
    await ada.page.getByRole('menuitem', { name: 'Interrupt the turn and send now' }).click();
    await ada.conversation.getByText('Answer at once.', { exact: true }).waitFor();
    await list(me).getByRole('button', { name: 'Resume' }).click();
    await me.conversation.getByText('Answer two.', { exact: true }).waitFor();
    await list(ada).waitFor({ state: 'detached' });

    const { data } = (await product.owner.call<Page<Turn>>('GET', `/v1/sessions/${session.id}/turns`)).body;
    expect(data.reverse().map(({ status, text, author }) => [status, text, author.name])).toEqual([
      ['interrupted', expect.any(String), 'Owner'],
      ['interrupted', expect.any(String), 'Owner'],
      ['completed', 'Answer at once.', 'Ada'],
      ['completed', 'Answer for Ada.', 'Ada'],
      ['completed', 'Answer three.', 'Owner'],
      ['completed', 'Answer two.', 'Owner'],
    ]);
    const left = await product.owner.call<SessionQueue>('GET', `/v1/sessions/${session.id}/queue`);
    expect(left.body).toEqual({ data: [], paused: null });
  });

  async function picture({ page }: Awaited<ReturnType<BrowserStack['openSignedIn']>>, name: string): Promise<void> {
    if (!PICTURES) return;
    await page.screenshot({ path: `${PICTURES}/${name}.png` });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: `${PICTURES}/${name}-dark.png` });
    await page.emulateMedia({ colorScheme: 'light' });
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.screenshot({ path: `${PICTURES}/${name}-phone.png` });
    if (size) await page.setViewportSize(size);
  }
});
