import type { Project, Session } from '@chirality/contracts';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';

jest.setTimeout(240_000);

describe('choosing a model and the other options', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  it('of an existing session is done from lists, is seen by the other person at once, and holds for the next turn', async () => {
    const sessionId = await product.newSession('Options');
    const member = await product.newMember('Mia');
    const [me, mia] = [await product.openSignedIn(), await product.openSignedIn(member)];
    await Promise.all([me.openSession(sessionId), mia.openSession(sessionId)]);
    await me.send('[[text "By default."]]');
    await me.waitForEnds(1);

    await me.page.getByRole('button', { name: 'options and where they come from' }).click();
    await me.page.getByRole('button', { name: 'Change…' }).click();
    const dialog = me.page.getByRole('dialog', { name: 'Session options' });
    const model = dialog.getByLabel('Model', { exact: true });
    await model.locator('option', { hasText: 'Claude Opus 4.5 · $5 in, $25 out' }).waitFor({ state: 'attached' });
    expect(await model.locator('option').first().innerText()).toBe('Default: Sonnet (latest) (built in)');
    await model.selectOption('claude-opus-4-5');
    await dialog.getByText('$5 in, $25 out per million tokens').waitFor();
    await dialog.getByLabel('Effort').selectOption('high');
    await dialog.getByLabel('Permissions').selectOption('acceptEdits');
    await dialog.getByLabel('Max. model turns').fill('9');
    await dialog.getByLabel('Budget per turn (USD)').fill('2.50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    const said =
      'Owner changed the options. Model: Claude Opus 4.5 · Effort: High · Permissions: Edit without asking · Max. model turns: 9 · Budget per turn: $2.50, from the next turn.';
    for (const { page } of [me, mia]) {
      await page.getByText(said).waitFor();
      await page.getByRole('button', { name: /^Claude Opus 4.5/ }).waitFor();
    }
    await mia.page.getByRole('button', { name: 'options and where they come from' }).click();
    const options = mia.page.getByRole('dialog', { name: 'Options of this session' });
    await options.getByRole('row', { name: /^Model Claude Opus 4.5 session/ }).waitFor();
    // A member may use a session that is shared; its options are its owner's and the admins'.
    expect(await options.getByRole('button', { name: 'Change…' }).count()).toBe(0);

    await me.send('[[text "As chosen."]]');
    await me.waitForEnds(2);
    const asked = product.stack.model?.requests().findLast(({ path }) => path.startsWith('/v1/messages?'))?.body as {
      model: string;
      output_config?: { effort?: string };
    };
    expect(asked).toMatchObject({ model: 'claude-opus-4-5', output_config: { effort: 'high' } });
    expect((await product.owner.call<Session>('GET', `/v1/sessions/${sessionId}`)).body.options).toEqual({
      model: 'claude-opus-4-5',
      effort: 'high',
      permissionMode: 'acceptEdits',
      maxTurns: 9,
      maxBudgetUsd: '2.50',
    });
  });

  it('offers no unknown one, and lets an admin name another that has a price', async () => {
    const project = await product.owner.createProject('Naming');
    const me = await product.openSignedIn();
    const { page } = me;
    await page.goto(`${me.url}/projects/${project.id}/settings`);
    const model = page.getByLabel('Model', { exact: true });
    await model.selectOption({ label: 'Other model…' });
    const name = page.getByLabel('Name of the model');
    await name.fill('gpt-nonsense');
    await page.getByText('No price is known for this model.').waitFor();
    const form = page.locator('form').filter({ has: name });
    await form.getByRole('button', { name: 'Save defaults' }).click();
    expect(await name.evaluate((field: HTMLInputElement) => field.validity.customError)).toBe(true);
    expect((await product.owner.call('GET', `/v1/projects/${project.id}`)).body).toMatchObject({ options: {} });
    await name.fill('claude-sonnet-4-5-20250929');
    await form.getByRole('button', { name: 'Save defaults' }).click();
    await page.getByText('Saved. Applies from the next turn.').waitFor();

    const mia = await product.openSignedIn(await product.newMember('Nia'));
    await mia.page.goto(`${mia.url}/projects/${project.id}`);
    await mia.page.getByRole('button', { name: 'New session' }).first().click();
    await mia.page.getByText('More', { exact: true }).click();
    const offered = mia.page.getByRole('dialog').getByLabel('Model', { exact: true });
    await offered.locator('option', { hasText: 'Claude Sonnet 4.5' }).first().waitFor({ state: 'attached' });
    expect(await offered.locator('option', { hasText: 'Other model…' }).count()).toBe(0);
  });

  it('shows what the project allows at most beside the option, and at its field what goes beyond it', async () => {
    const project = await product.owner.createProject('Limited');
    const me = await product.openSignedIn();
    const settings = me.page;
    await settings.goto(`${me.url}/projects/${project.id}/settings`);
    const turns = settings.getByRole('group', { name: 'Limits' }).getByLabel('Max. model turns');
    const limits = settings.locator('form').filter({ has: turns });
    await turns.fill('40');
    await limits.getByLabel('Time limit (minutes)').fill('30');
    await limits.getByRole('button', { name: 'Save limits' }).click();
    await limits.getByText('Saved. Applies from the next turn.').waitFor();
    expect(((await product.owner.call('GET', `/v1/projects/${project.id}`)).body as Project).limits).toEqual({
      maxTurns: 40,
      timeoutMs: 1_800_000,
    });
    const defaults = settings.locator('form').filter({ has: settings.getByLabel('Model', { exact: true }) });
    for (const text of ['At most 40 model turns, set by the project.', 'At most 30 min, set by the project.'])
      await defaults.getByText(text).waitFor();

    const tess = await product.openSignedIn(await product.newMember('Tess'));
    const { page } = tess;
    await page.goto(`${tess.url}/projects/${project.id}/settings`);
    const shown = page.getByRole('group', { name: 'Limits' });
    expect(await shown.getByLabel('Max. model turns').isDisabled()).toBe(true);
    await page.getByText('Only owners and admins of the team can change this.').first().waitFor();
    await page.goto(`${tess.url}/projects/${project.id}`);
    await page.getByRole('button', { name: 'New session' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('More', { exact: true }).click();
    const time = dialog.getByLabel('Time limit (minutes)');
    await dialog.getByText('At most 30 min, set by the project.').waitFor();
    await time.fill('31');
    expect(await time.evaluate((field: HTMLInputElement) => field.validity.rangeOverflow)).toBe(true);
    // Lowered by an admin after the dialog was opened.
    await product.owner.call('PATCH', `/v1/projects/${project.id}`, { limits: { timeoutMs: 600_000 } });
    await time.fill('20');
    await dialog.getByRole('button', { name: 'Start session' }).click();
    await dialog.getByText('At most 10 min, set by the project.').waitFor();
    expect(await time.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await time.fill('10');
    await dialog.getByRole('button', { name: 'Start session' }).click();
    await page.getByRole('button', { name: 'options and where they come from' }).click();
    const options = page.getByRole('dialog', { name: 'Options of this session' });
    await options
      .getByRole('row', { name: /^Time limit 10 min At most 10 min, set by the project. session/ })
      .waitFor();
  });

  it('writes it into the text of a persona', async () => {
    const me = await product.openSignedIn();
    const { page } = me;
    await page.goto(`${me.url}/personas/new`);
    await page.getByLabel('Model', { exact: true }).selectOption('haiku');
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toContain('\nmodel: haiku\n---\n');
    await page.getByLabel('Text', { exact: true }).fill('---\nmodel: gpt-nonsense\n---\nShow the way.');
    await page.getByText('No price is known for the model gpt-nonsense').waitFor();
  });
});
