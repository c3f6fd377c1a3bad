import { join } from 'node:path';
import { GIT_HOST, makeGitRepository, startGitHost, type GitHost } from '@chirality/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { findings } from './support/axe';
import { BrowserStack } from './support/browser-stack';
import type { Dashboard } from './support/dashboard';

jest.setTimeout(180_000);

const README = `# Shipyard

See the [guide](docs/guide.md), the [folder](docs/), the [same](docs), [what is below](#parts-1), [nothing](nowhere.md) and
[what is outside](../../secret.md).

${'Words.\n\n'.repeat(60)}
## Parts

## Parts
`;
const CHANGES =
  'echo more >> src/boat.ts; echo new > src/deep/new.ts; rm old.txt; rm -r lib; git mv LICENSE COPYING; git init -q vendor; touch vendor/own.c';
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

function fileTree(page: Page) {
  return page.getByRole('navigation', { name: 'Files', exact: true });
}

describe('looking at files', () => {
  let host: GitHost;
  let product: BrowserStack;
  let projectId: string;
  let sessionId: string;

  beforeAll(async () => {
    host = await startGitHost();
    const files = {
      'README.md': README,
      LICENSE: 'Take it.\n'.repeat(20),
      'docs/guide.md': 'Back to the [start](../README.md), or [below](../README.md#parts-1).\n',
      'src/deep/crane.ts': 'export const crane = 1;\n',
      'src/boat.ts': 'export const boat = 1;\n',
      'old.txt': 'old',
      'lib/one.c': '1',
      'lib/two.c': '2',
    };
    makeGitRepository(join(host.directory, 'shipyard.git'), [files]);
    product = await BrowserStack.start({
      env: {
        NODE_ENV: 'test',
        CHIRALITY_TEST_HOSTS: JSON.stringify({ [GIT_HOST]: '127.0.0.1' }),
        CHIRALITY_TEST_AUTHORITIES: host.authorities,
      },
    });
    const source = { kind: 'git', url: host.url('shipyard.git') };
    const { body } = await product.owner.call<{ id: string }>('POST', '/v1/projects', { name: 'Shipyard', source });
    projectId = body.id;
    const me = await product.openSignedIn();
    await me.page.goto(`${me.url}/projects/${projectId}/files`);
    await fileTree(me.page).getByRole('button', { name: 'src' }).waitFor();
    sessionId = (await product.owner.createSession(projectId, { visibility: 'project' })).id;
    const command = `[[tool Bash ${JSON.stringify({ command: CHANGES })}]] [[text "Done."]]`;
    const turn = await product.owner.send(sessionId, command, { autoApproveTools: ['Bash'] });
    expect(await product.owner.waitForEnd(sessionId, turn.id, 60_000)).toMatchObject({ status: 'completed' });
  });
  afterEach(async () => {
    expect(await product.closeWindows()).toEqual([]);
  });
  afterAll(async () => {
    await product?.stop();
    await host?.close();
  });

  /** Opens the files of the session, whose changes are marked. */
  async function openPanel(me: Dashboard): Promise<void> {
    await me.openSession(sessionId);
    await me.page.getByRole('button', { name: 'Files and changes' }).click();
    await fileTree(me.page).getByRole('button', { name: 'src contains changes' }).waitFor();
  }

  async function openProject(me: Dashboard, path?: string): Promise<void> {
    await me.page.goto(`${me.url}/projects/${projectId}/files${path === undefined ? '' : `?path=${path}`}`);
  }

  it('marks in a session what differs from the last commit, and says where it does not know', async () => {
    const me = await product.openSignedIn();
    await openPanel(me);
    const tree = fileTree(me.page);
    expect((await tree.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'docs',
      'src ● contains changes',
      'vendor not compared',
      expect.stringMatching(/^COPYING .* R renamed from LICENSE$/),
      expect.stringMatching(/^README\.md \d+ B$/),
      'lib 2 files D deleted',
      'old.txt D deleted',
    ]);
    await tree.getByRole('button', { name: 'src' }).click();
    await tree.getByRole('button', { name: /^boat\.ts \d+ B modified$/ }).waitFor();
    await tree.getByRole('button', { name: 'deep contains changes' }).click();
    await tree.getByRole('button', { name: /^new\.ts 4 B added$/ }).waitFor();
    expect(await tree.getByRole('button', { name: /^crane\.ts \d+ B$/ }).count()).toBe(1);

    await me.page.route(/\/diff\?/, async (route) => {
      const answer = await route.fetch();
      const diff = (await answer.json()) as { totals: object };
      const totals = { ...diff.totals, files: 1_234, atLeast: true };
      await route.fulfill({ json: { ...diff, nextCursor: 'src/boat.ts', totals } });
    });
    // The panel is open again after a reload, as it was left.
    await me.page.reload();
    await tree.getByText(/^Only the first \d of at least 1,234 changed files are marked\.$/).waitFor();
    await me.page.unrouteAll();
    const failure = { status: 503, code: 'WORKSPACE_UNAVAILABLE', detail: 'No worker is running.' };
    await me.page.route(/\/diff\?/, (route) => route.fulfill({ status: 503, json: failure }));
    await me.page.reload();
    await tree.getByText('Changes could not be loaded, so no file is marked.').waitFor();
    await me.page.unrouteAll();
  });

  it('finds a part of a name in any folder, by keyboard too', async () => {
    const me = await product.openSignedIn();
    await openPanel(me);
    const tree = fileTree(me.page);
    await me.page.getByRole('searchbox', { name: 'Find files by name' }).fill('CRANE');
    await tree.getByRole('status').getByText('1 result.').waitFor();
    await me.page.keyboard.press('ArrowDown');
    await me.page.keyboard.press('Enter');
    await me.page.getByRole('region', { name: 'Content of src/deep/crane.ts' }).waitFor();
    await me.page.locator('h2:focus', { hasText: 'crane.ts' }).waitFor();
    await me.page.getByRole('button', { name: 'Back to the files' }).click();
    await tree.locator('button:focus', { hasText: 'crane.ts' }).waitFor();
    const field = me.page.getByRole('searchbox', { name: 'Find files by name' });
    expect(await field.inputValue()).toBe('CRANE');
    await field.fill('deep');
    await tree.getByRole('button', { name: 'deep src contains changes' }).click();
    await tree.locator('button:focus[aria-expanded="true"]', { hasText: 'deep' }).waitFor();
    await tree.getByRole('button', { name: 'crane.ts' }).waitFor();
    expect(await field.inputValue()).toBe('');
    await field.fill('no such name');
    await tree.getByRole('status').getByText('No results.').waitFor();

    await openProject(me);
    await field.fill('src/deep/c');
    await tree.getByRole('button', { name: /^crane\.ts src\/deep \d+ B$/ }).click();
    await me.page.waitForURL(/path=src%2Fdeep%2Fcrane\.ts/);
    await tree.locator('[aria-current="true"]', { hasText: 'crane.ts' }).waitFor();
    await field.fill('new.ts');
    await tree.getByRole('status').getByText('No results.').waitFor();
  });

  it('follows the links of a Markdown file to files, folders and headings, and nowhere else', async () => {
    const me = await product.openSignedIn();
    const { page } = me;
    await openProject(me, 'README.md');
    await page.locator('h3:focus', { hasText: 'README.md' }).waitFor();
    const document = page.locator('.prose');
    await document.waitFor();
    expect(await document.getByRole('link').allInnerTexts()).toEqual([
      'guide',
      'folder',
      'same',
      'what is below',
      'nothing',
    ]);
    await document.getByRole('link', { name: 'what is below' }).click();
    const reached = await document.locator('h2:focus').evaluate((heading) => {
      const { top, bottom } = heading.getBoundingClientRect();
      const isLast = heading === heading.parentElement?.lastElementChild;
      return { isLast, isSeen: top >= 0 && bottom <= window.innerHeight };
    });
    expect(reached).toEqual({ isLast: true, isSeen: true });
    expect(new URL(page.url()).hash).toBe('');

    expect(await document.getByRole('link', { name: 'guide' }).getAttribute('href')).toBe('?path=docs%2Fguide.md');
    await document.getByRole('link', { name: 'guide' }).click();
    await page.waitForURL(/path=docs%2Fguide\.md/);
    await page.locator('h3:focus', { hasText: 'guide.md' }).waitFor();
    await document.getByRole('link', { name: 'start' }).click();
    await page.waitForURL(/path=README\.md/);
    await document.getByRole('link', { name: 'folder' }).click();
    await page.waitForURL(/path=docs%2F$/);
    await fileTree(page).locator('button:focus', { hasText: 'docs' }).waitFor();
    await page.goBack();
    await document.getByRole('link', { name: 'same' }).click();
    await page.waitForURL(/path=docs%2F$/);
    await fileTree(page).locator('button:focus', { hasText: 'docs' }).waitFor();
    await page.goBack();
    await page.waitForURL(/path=README\.md/);

    const theLastPart = async () => {
      await page.waitForURL(/path=README\.md/);
      return document.locator('h2:focus').evaluate((heading) => heading === heading.parentElement?.lastElementChild);
    };
    await document.getByRole('link', { name: 'guide' }).click();
    const below = document.getByRole('link', { name: 'below', exact: true });
    expect(await below.getAttribute('href')).toBe('?path=README.md#parts-1');
    await below.click();
    expect(await theLastPart()).toBe(true);
    await page.goto(page.url().replace(/\?.*/, '?path=README.md#parts-1'));
    expect(await theLastPart()).toBe(true);

    await openPanel(me);
    await fileTree(page).getByRole('button', { name: 'README.md' }).click();
    await document.getByRole('link', { name: 'guide' }).click();
    await page.locator('h2:focus', { hasText: 'docs/guide.md' }).waitFor();
    expect(page.url()).toBe(`${me.url}/sessions/${sessionId}`);
    await document.getByRole('link', { name: 'start' }).click();
    await document.getByRole('link', { name: 'folder' }).click();
    await fileTree(page).locator('button:focus[aria-expanded="true"]', { hasText: 'docs' }).waitFor();
  });

  it('leads back to the folder from a file that is not there, and the browser’s Back to the row', async () => {
    const me = await product.openSignedIn(undefined, PHONE);
    const { page } = me;
    await openProject(me, 'docs/nowhere.md');
    const alert = page.getByRole('alert').filter({ hasText: 'There is no such file or directory' });
    await alert.waitFor();
    expect(await alert.getByRole('button').allInnerTexts()).toEqual(['Back to the folder']);
    await alert.getByRole('button').click();
    await fileTree(page).getByRole('button', { name: 'guide.md' }).click();
    await page.locator('h3:focus', { hasText: 'guide.md' }).waitFor();
    await page.goBack();
    await fileTree(page).locator('button:focus', { hasText: 'guide.md' }).waitFor();
    await page.goForward();
    await page.locator('h3:focus', { hasText: 'guide.md' }).waitFor();
    await openProject(me, 'src%2Fdeep%2F');
    await fileTree(page).locator('button:focus', { hasText: 'deep' }).waitFor();
  });

  it.each([
    ['a large screen by day', { colorScheme: 'light' }],
    ['a large screen at night', { colorScheme: 'dark' }],
    ['a phone', { ...PHONE, colorScheme: 'light' }],
    ['a phone at night', { ...PHONE, colorScheme: 'dark' }],
  ] as [string, BrowserContextOptions][])(
    'gives axe nothing to find and never scrolls sideways: %s',
    async (_, options) => {
      const me = await product.openSignedIn(undefined, options);
      const { page } = me;
      const found: Record<string, string[]> = {};
      const look = async (name: string) => {
        found[name] = await findings(me);
        if (await me.overflowsSideways()) found[name].push('scrolls sideways');
      };
      await openProject(me, 'src%2Fdeep%2F');
      await fileTree(page).getByRole('button', { name: 'crane.ts' }).waitFor();
      await look('the files of a project');
      await page.getByRole('searchbox', { name: 'Find files by name' }).fill('.ts');
      await fileTree(page).getByRole('status').getByText('2 results.').waitFor();
      await look('what was found in a project');
      await openProject(me, 'src%2Fboat.ts');
      await page.getByRole('region', { name: 'Content of src/boat.ts' }).waitFor();
      await look('a file of a project');
      await openProject(me, 'README.md');
      await page.locator('.prose').getByRole('heading', { name: 'Shipyard' }).waitFor();
      await look('a Markdown file of a project');
      await openProject(me, 'nowhere.md');
      await page.getByRole('alert').waitFor();
      await look('a file that is not there');
      await openPanel(me);
      await fileTree(page).getByRole('button', { name: 'src' }).click();
      await fileTree(page).getByRole('button', { name: 'boat.ts' }).waitFor();
      await look('the files of a session');
      await page.getByRole('searchbox', { name: 'Find files by name' }).fill('.ts');
      await fileTree(page).getByRole('status').getByText('3 results.').waitFor();
      await look('what was found in a session');
      await fileTree(page).getByRole('button', { name: 'boat.ts' }).click();
      await page.getByRole('region', { name: 'Content of src/boat.ts' }).waitFor();
      await look('a file of a session');
      expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
    },
  );
});
