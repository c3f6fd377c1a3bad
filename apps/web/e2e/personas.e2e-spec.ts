import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '@chirality/contracts';
import { BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('working with personas', () => {
  let root: string;
  let product: BrowserStack;
  let project: Project;

  beforeAll(async () => {
    root = mkdtempSync('/tmp/chirality-roots-');
    const put = (name: string, text: string) => writeFileSync(join(root, 'project', name), text);
    mkdirSync(join(root, 'project', 'agents'), { recursive: true });
    put('README.md', '# Lighthouse\n');
    put('agents/AGENT_EAGER.md', '---\nname: Eager\nauto_approve_tools: Bash(*)\nmodel: opus\n---\nWork fast.');
    put('agents/AGENT_BROKEN.md', '---\nmax_turns: many\n---\nx');
    product = await BrowserStack.start({ env: { CHIRALITY_ALLOWED_ROOTS: root } });
    const answer = await product.owner.call<Project>('POST', '/v1/projects', {
      name: 'Lighthouse',
      source: { kind: 'directory', path: join(root, 'project') },
    });
    project = answer.body;
  });
  afterEach(async () => {
    expect(await product.closeWindows()).toEqual([]);
  });
  afterAll(async () => {
    await product?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('writes one for the team, saves a version, tells of a save in between, and goes back', async () => {
    const me = await product.openSignedIn();
    const { page } = me;
    await page.getByRole('link', { name: 'Personas' }).click();
    await page.getByRole('heading', { name: 'No personas of your own yet' }).waitFor();
    await page.getByRole('button', { name: 'View Reviewer' }).click();
    await page.getByRole('dialog', { name: 'Reviewer' }).getByText('name: Reviewer').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'New persona' }).first().click();
    await page.getByLabel('Key').fill('guide');
    const text = page.getByLabel('Text');
    await text.fill('---\nname: Guide\nmax_turns: many\n---\nShow the way.');
    await page.getByText('Line 3, max_turns: must be a whole number, not "many"').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await text.fill('---\nname: Guide\nmax_turns: 7\n---\nShow the way.');
    await page.getByRole('region', { name: 'Preview' }).getByText('Show the way.').last().waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor();

    await text.fill('Show another way.');
    const personaId = page.url().split('/').at(-1) ?? '';
    const theirs = await product.owner.call('PATCH', `/v1/personas/${personaId}`, { baseVersion: 1, text: 'Theirs.' });
    expect(theirs.status).toBe(200);
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByText('saved version 2 meanwhile').waitFor();
    expect(await text.inputValue()).toBe('Show another way.');
    await page.getByRole('button', { name: 'Continue with mine' }).click();
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByRole('button', { name: /^Version 3 current/ }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Version 1' }).getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: /^Version 4 current/ }).waitFor();
    expect(await text.inputValue()).toContain('max_turns: 7');
  });

  it('shows what a project’s own may do, and an approval with what it widens', async () => {
    const me = await product.openSignedIn();
    const { page } = me;
    await page.goto(`${product.stack.url}/projects/${project.id}`);
    await page
      .getByRole('navigation', { name: 'Project', exact: true })
      .getByRole('link', { name: 'Personas' })
      .click();
    await page.getByText('agents/AGENT_BROKEN.md:2: max_turns: must be a whole number, not "many"').waitFor();
    const eager = page.getByRole('listitem').filter({ hasText: 'Eager' });
    await eager
      .getByText('Without effect until an admin approves it: Allowed without asking: Bash(*) · Model: opus')
      .waitFor();
    await eager.getByRole('button', { name: 'Review Eager' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Approve this text' }).waitFor();
    expect(await dialog.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Option\s+Now\s+Approved/),
      expect.stringMatching(/Allowed without asking\s+nothing\s+Bash\(\*\)/),
      expect.stringMatching(/Model\s+default\s+opus/),
    ]);
    await dialog.getByRole('button', { name: 'Approve this text' }).click();
    await eager.getByText('Approved by').waitFor();
    expect(await me.overflowsSideways()).toBe(false);
  });

  it('is chosen for a session, whose prompt can be read before a turn and after it', async () => {
    const me = await product.openSignedIn();
    const { page } = me;
    await page.goto(`${product.stack.url}/projects/${project.id}`);
    await page.getByRole('button', { name: 'New session' }).first().click();
    const persona = page.getByLabel('Persona', { exact: true });
    await page.getByText('agents/AGENT_BROKEN.md:2').waitFor();
    expect(await persona.locator('option', { hasText: 'broken file' }).isDisabled()).toBe(true);
    await persona.selectOption({ label: 'Eager' });
    await page.getByRole('dialog').getByRole('button', { name: 'Start session' }).click();
    await me.composer.waitFor();

    await page.getByRole('button', { name: 'Files and changes' }).click();
    await page.getByRole('tab', { name: 'Prompt' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Prompt' });
    // The choice of persona shows the same words, as soon as it has loaded.
    const role = panel.getByText('# Your role: eager Work fast.', { exact: true });
    await role.waitFor({ state: 'attached' });
    await panel.getByText('agents/AGENT_EAGER.md at').waitFor();
    await me.send('[[text "Done."]]');
    await me.waitForEnds(1);
    await panel.getByLabel('Prompt of').selectOption({ index: 1 });
    await role.waitFor({ state: 'attached' });
    await panel.getByText('# Lighthouse').waitFor({ state: 'attached' });
  });
});
