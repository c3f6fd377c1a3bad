import type { Page } from 'playwright-core';
import { BrowserStack } from './support/browser-stack';
import type { Dashboard } from './support/dashboard';

jest.setTimeout(240_000);

const PERSONA = '---\nname: Guide\n---\nShow the way.';

/** A form on a page: where it is, and the field that a person fills. */
type Kind = {
  name: string;
  path: (ids: Ids) => string;
  field: (page: Page) => ReturnType<Page['getByLabel']>;
  words: string;
};
type Ids = { projectId: string; personaId: string };

const PAGES: Kind[] = [
  {
    name: 'a new persona',
    path: () => '/personas/new',
    field: (page) => page.getByLabel('Text', { exact: true }),
    words: 'Half a persona.',
  },
  {
    name: 'a persona',
    path: ({ personaId }) => `/personas/${personaId}`,
    field: (page) => page.getByLabel('Text', { exact: true }),
    words: 'Half a change.',
  },
  {
    name: 'hosts',
    path: ({ projectId }) => `/projects/${projectId}/settings`,
    field: (page) => page.getByLabel('Hosts'),
    words: 'registry.example.org',
  },
  {
    name: 'the set-up script',
    path: ({ projectId }) => `/projects/${projectId}/settings`,
    field: (page) => page.getByLabel('Script', { exact: true }),
    words: 'npm ci',
  },
  {
    name: 'a rule',
    path: ({ projectId }) => `/projects/${projectId}/settings`,
    field: (page) => page.getByLabel('Tool and pattern'),
    words: 'Bash(npm publish *)',
  },
  {
    name: 'defaults of a project',
    path: ({ projectId }) => `/projects/${projectId}/settings`,
    field: (page) => page.getByLabel('Max. model turns'),
    words: '7',
  },
  { name: 'defaults of a team', path: () => '/team', field: (page) => page.getByLabel('Max. model turns'), words: '7' },
  { name: 'the team', path: () => '/team', field: (page) => page.getByLabel('Team name'), words: 'Lighthouse keepers' },
  { name: 'the profile', path: () => '/settings', field: (page) => page.getByLabel('Display name'), words: 'Ada' },
];

/** A form in a dialog: where it is and how it is opened. */
const DIALOGS: (Kind & { open: (page: Page) => Promise<void> })[] = [
  {
    name: 'an invitation',
    path: () => '/team',
    open: (page) => page.getByRole('button', { name: 'Invite', exact: true }).click(),
    field: (page) => page.getByRole('dialog').getByLabel('E-mail'),
    words: 'grace@example.test',
  },
  {
    name: 'a new project',
    path: () => '/',
    open: (page) => page.getByRole('button', { name: 'New project' }).first().click(),
    field: (page) => page.getByRole('dialog').getByLabel('Name'),
    words: 'Warehouse',
  },
  {
    name: 'a variable',
    path: ({ projectId }) => `/projects/${projectId}/settings`,
    open: (page) => page.getByRole('button', { name: 'New variable' }).click(),
    field: (page) => page.getByLabel('Value'),
    words: 'npm_0123456789',
  },
  {
    name: 'a budget',
    path: () => '/cost',
    open: (page) => page.getByRole('button', { name: 'New budget' }).first().click(),
    field: (page) => page.getByLabel('Limit (USD)'),
    words: '25',
  },
];

describe('unsaved words', () => {
  let product: BrowserStack;
  let me: Dashboard;
  let ids: Ids;

  beforeAll(async () => {
    product = await BrowserStack.start({ workers: 0 });
    const project = await product.owner.createProject('Shop');
    const persona = await product.owner.call<{ id: string }>('POST', '/v1/personas', { key: 'guide', text: PERSONA });
    ids = { projectId: project.id, personaId: persona.body.id };
    me = await product.openSignedIn();
  });
  afterAll(async () => {
    expect(await product.closeWindows()).toEqual([]);
    await product?.stop();
  });

  const question = () => me.page.getByRole('dialog', { name: 'Leave without saving?' });

  it.each(PAGES.map((kind) => [kind.name, kind] as const))(
    'of %s are asked about before the page is left, and kept by a person who stays',
    async (_, { path, field, words }) => {
      const { page } = me;
      await page.goto(`${me.url}${path(ids)}`);
      await field(page).fill(words);
      const here = page.url();
      await page.getByRole('link', { name: 'Cost', exact: true }).click();
      await question().getByRole('button', { name: 'Keep editing' }).click();
      await question().waitFor({ state: 'detached' });
      expect([page.url(), await field(page).inputValue()]).toEqual([here, words]);
      // A reload and a closed tab are asked about by the browser itself.
      const asked = page.waitForEvent('dialog');
      // Not by the driver, which would wait for the page that never comes.
      await page.evaluate('setTimeout(() => location.reload())');
      const prompt = await asked;
      expect(prompt.type()).toBe('beforeunload');
      await prompt.dismiss();
      expect(await field(page).inputValue()).toBe(words);
      await page.getByRole('link', { name: 'Cost', exact: true }).click();
      await question().getByRole('button', { name: 'Discard changes' }).click();
      await page.getByRole('heading', { name: 'Cost', level: 1 }).waitFor();
    },
  );

  it.each(DIALOGS.map((kind) => [kind.name, kind] as const))(
    'of %s are asked about before the dialog closes',
    async (_, { path, open, field, words }) => {
      const { page } = me;
      await page.goto(`${me.url}${path(ids)}`);
      await open(page);
      await field(page).fill(words);
      await page.keyboard.press('Escape');
      await question().getByRole('button', { name: 'Keep editing' }).click();
      expect(await field(page).inputValue()).toBe(words);
      await page.keyboard.press('Escape');
      await question().getByRole('button', { name: 'Discard changes' }).click();
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    },
  );

  it('that were saved are not asked about', async () => {
    const { page } = me;
    await page.goto(`${me.url}/personas/new`);
    await page.getByLabel('Key').fill('scout');
    await page.getByLabel('Text', { exact: true }).fill(PERSONA.replace('Guide', 'Scout'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Scout', level: 1 }).waitFor();
    await page.getByLabel('Text', { exact: true }).fill(PERSONA.replace('Guide', 'Ranger'));
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByRole('heading', { name: 'Ranger', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Cost', exact: true }).click();
    await page.getByRole('heading', { name: 'Cost', level: 1 }).waitFor();
    expect(await question().count()).toBe(0);
  });

  it('are asked about before signing out', async () => {
    const { page } = me;
    await page.goto(`${me.url}/settings`);
    await page.getByLabel('Display name').fill('Ada');
    await page.getByRole('button', { name: 'Owner' }).last().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await question().getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
