import { waitFor } from '@chirality/testing';
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
    field: (page) => page.getByRole('group', { name: 'Default options' }).getByLabel('Max. model turns'),
    words: '7',
  },
  {
    name: 'defaults of a team',
    path: () => '/team',
    field: (page) => page.getByRole('group', { name: 'Default options' }).getByLabel('Max. model turns'),
    words: '7',
  },
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

  const question = (page = me.page) => page.getByRole('dialog', { name: 'Leave without saving?' });

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

  it.each([
    {
      name: 'hosts',
      path: () => `/projects/${ids.projectId}/settings`,
      label: 'Hosts',
      save: 'Save hosts',
      request: '**/v1/projects/*/egress',
      words: ['a.example.org', 'a.example.org\nb.example.org'],
    },
    {
      name: 'the set-up script',
      path: () => `/projects/${ids.projectId}/settings`,
      label: 'Script',
      save: 'Save script',
      request: '**/v1/projects/*/setup-script',
      words: ['npm ci', 'npm ci\nnpm run build'],
    },
    {
      name: 'a persona',
      path: () => `/personas/${ids.personaId}`,
      label: 'Text',
      save: 'Save version',
      request: '**/v1/personas/*',
      words: [`${PERSONA} Slowly.`, `${PERSONA} Slowly, step by step.`],
    },
  ])('of $name that are typed while a save is pending stay', async ({ path, label, save, request, words }) => {
    const { page } = me;
    const [first = '', then = ''] = words;
    await page.goto(`${me.url}${path()}`);
    const [field, button] = [page.getByLabel(label, { exact: true }), page.getByRole('button', { name: save })];
    await field.fill(first);
    const { begun, release } = await holdChange(page, request);
    await button.click();
    await begun;
    await field.fill(then);
    const answer = page.waitForResponse((response) => response.request().method() !== 'GET');
    release();
    expect((await answer).status()).toBe(200);
    // What was saved is shown as such, and what was typed meanwhile can be saved in turn.
    await page.locator('button[aria-busy="true"]').waitFor({ state: 'detached' });
    expect([await field.inputValue(), await button.isEnabled()]).toEqual([then, true]);
    await button.click();
    await page.locator('button[aria-busy="true"]').waitFor({ state: 'detached' });
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe(then);
  });

  it('are asked about before an older version of a persona is restored', async () => {
    const { page } = me;
    await page.goto(`${me.url}/personas/${ids.personaId}`);
    const field = page.getByLabel('Text', { exact: true });
    const restore = page.getByRole('button', { name: 'Restore' }).last();
    await field.fill(`${PERSONA} Half a change.`);
    await restore.click();
    await question().getByRole('button', { name: 'Keep editing' }).click();
    await question().waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe(`${PERSONA} Half a change.`);
    await restore.click();
    await question().getByRole('button', { name: 'Discard changes' }).click();
    await waitFor(async () => (await field.inputValue()) === PERSONA, { what: 'the older version is there again' });
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

  it('are asked about before signing out everywhere, and not once it has begun', async () => {
    const { page, url } = await product.openSignedIn();
    const ended: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE') ended.push(new URL(request.url()).pathname);
    });
    await page.goto(`${url}/settings`);
    await page.getByLabel('Display name').fill('Ada');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await question(page).waitFor({ state: 'detached' });
    expect(ended).toEqual([]);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await question(page).getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(ended).toEqual(['/v1/me/devices']);
  });
});

/**
 * Holds the requests that change what is at that address, until it is released. `begun` resolves at the first one. The
 * route stays: a request that the browser holds while a route is taken away may never be answered.
 */
async function holdChange(page: Page, address: string): Promise<{ begun: Promise<void>; release: () => void }> {
  let [begin, release] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    begin();
    await held;
    return route.continue();
  });
  return { begun, release };
}
