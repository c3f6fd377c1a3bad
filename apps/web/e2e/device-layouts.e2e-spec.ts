import { waitFor } from '@chirality/testing';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { findings } from './support/axe';
import { BrowserStack } from './support/browser-stack';

jest.setTimeout(120_000);

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('the dashboard on any device', () => {
  let product: BrowserStack;
  let sessionId: string;

  beforeAll(async () => {
    product = await BrowserStack.start();
    sessionId = await product.newSession('A project with a rather long name that has to fit somewhere');
    const me = await product.openSignedIn();
    await me.openSession(sessionId);
    await me.send(
      '[[thinking Hm]]&[[text "# Title\\n\\nText with `code`, a [link](https://example.test) and\\n\\n```ts\\nconst a = 1;\\n```\\n\\n| a | b |\\n| - | - |\\n| 1 | 2 |"]]&[[tool Write {"file_path":"hello.ts","content":"export const a = 1;\\n"}]] [[text "Written."]]',
    );
    await me.waitForEnds(1);
    await me.send('[[error 400 message="a made up refusal"]]');
    await me.waitForEnds(2);
  });
  afterEach(async () => {
    expect(await product.closeWindows()).toEqual([]);
  });
  afterAll(async () => {
    await product?.stop();
  });

  const pages = async (): Promise<string[]> => {
    const { projectId } = await product.owner.session(sessionId);
    return [
      '/',
      `/projects/${projectId}`,
      `/projects/${projectId}/files`,
      `/projects/${projectId}/files?path=README.md`,
      `/sessions/${sessionId}`,
      '/cost',
      '/team',
      '/settings',
      '/nowhere',
    ];
  };

  it.each([
    ['a large screen by day', { colorScheme: 'light' }],
    ['a large screen at night', { colorScheme: 'dark' }],
    ['a phone', { ...PHONE, colorScheme: 'light' }],
    ['a phone at night', { ...PHONE, colorScheme: 'dark' }],
  ] as [string, BrowserContextOptions][])(
    'gives axe nothing to find and never scrolls sideways: %s',
    async (_, options) => {
      const me = await product.open(options);
      await me.page.goto(`${me.url}/sign-in`);
      await me.page.getByRole('button', { name: 'Sign in' }).waitFor();
      const found: Record<string, string[]> = { '/sign-in': await findings(me) };
      await me.signIn({ email: 'owner@chirality.local', password: 'correct-horse-battery' });
      for (const path of await pages()) {
        await me.page.goto(me.url + path);
        await me.page.waitForLoadState('networkidle');
        found[path] = await findings(me);
        if (await me.overflowsSideways()) found[path].push('scrolls sideways');
      }
      expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
    },
  );

  it('keeps what is opened over the page free of findings too', async () => {
    const me = await product.openSignedIn();
    const found: Record<string, string[]> = {};
    const look = async (name: string) => {
      found[name] = await findings(me);
      await me.page.keyboard.press('Escape');
    };
    await me.page.getByRole('button', { name: 'New project' }).click();
    await look('new project');
    await me.page.keyboard.press('Control+k');
    await me.page.getByRole('combobox').fill('cost');
    await look('palette');
    await me.openSession(sessionId);
    await me.page.getByRole('button', { name: 'Files and changes' }).click();
    await me.page.getByRole('tabpanel', { name: 'Files' }).getByRole('button', { name: 'hello.ts' }).waitFor();
    await look('files');
    await me.page.getByRole('tab', { name: 'Changes' }).click();
    await me.page.getByRole('region', { name: 'Changes of hello.ts' }).waitFor();
    await look('changes');
    await me.page.getByRole('button', { name: /options and where they come from/ }).click();
    await look('options');
    await me.page.getByRole('button', { name: 'More for this session' }).click();
    await look('session menu');
    expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
  });

  it('shows all of a message where the window becomes narrow while it is written', async () => {
    const me = await product.openSignedIn();
    await me.openSession(sessionId);
    const field = me.page.getByRole('textbox', { name: 'Message', exact: true });
    await field.fill('words and more words '.repeat(12));
    await me.page.setViewportSize({ width: 390, height: 844 });
    const isWhole = () => field.evaluate((area) => area.clientHeight >= area.scrollHeight);
    await waitFor(isWhole, { what: 'the field is as high as its text' });
    await field.fill('');
  });

  it('is used by keyboard alone', async () => {
    const me = await product.openSignedIn();
    await me.page.keyboard.press('Control+k');
    await me.page.keyboard.type('thinking');
    await me.page.getByRole('option').first().waitFor();
    await me.page.keyboard.press('Enter');
    await me.page.waitForURL(/\/sessions\//);
    await me.composer.waitFor();
    await me.composer.focus();
    await me.page.keyboard.type('[[text "By keyboard."]]');
    await me.page.keyboard.press('Enter');
    await me.conversation.getByText('By keyboard.').last().waitFor();
  });

  it('keeps the buttons of a dialog and of a request in sight where the page is enlarged to twice its size', async () => {
    const viewport = { width: 640, height: 400 };
    const me = await product.openSignedIn(undefined, { viewport });
    const isInSight = async (button: Locator) => {
      await button.waitFor();
      const box = await button.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= viewport.height;
    };
    await me.page.getByRole('button', { name: 'New project' }).first().click();
    const dialog = me.page.getByRole('dialog');
    await dialog.getByText('Git repository', { exact: true }).click();
    expect(await isInSight(dialog.getByRole('button', { name: 'Create' }))).toBe(true);
    await me.openSession(await product.newSession('Small'));
    await me.send('[[tool Bash {"command":"touch one.txt"}]] [[text "Done."]]');
    for (const name of ['Allow once', 'Deny'])
      expect(await isInSight(me.page.getByRole('button', { name, exact: true }))).toBe(true);
    await me.page.getByRole('button', { name: 'Allow once' }).click();
    await me.waitForEnds(1);
  });
});
