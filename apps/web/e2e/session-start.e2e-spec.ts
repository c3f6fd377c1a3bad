import type { Page, Session } from '@chirality/contracts';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('starting a session from a first message', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  const sessions = async () => (await product.owner.call<Page<Session>>('GET', '/v1/sessions?limit=50')).body.data;

  it('takes two clicks in a new installation: an example, then start, on a sample project', async () => {
    const me = await product.openSignedIn();
    const { page } = me;
    await page.getByRole('button', { name: 'Explain this project' }).click();
    await page.getByRole('button', { name: 'Start session' }).click();
    await page.waitForURL(/\/sessions\//);
    await me.waitForEnds(1);
    const [session] = await sessions();
    const project = (
      await product.owner.call<{ name: string; source: unknown }>('GET', `/v1/projects/${session?.projectId}`)
    ).body;
    expect(project).toMatchObject({ name: 'Sample project', source: { kind: 'empty', sample: true } });
    expect(await me.conversationText()).toContain('Explain this project');
  });

  it('starts in the project and with the model that were chosen, keeps unsent words, and leaves none behind', async () => {
    const project = await product.owner.createProject('Warehouse');
    const me = await product.openSignedIn();
    const { page } = me;
    const field = page.getByRole('textbox', { name: 'First message' });
    await field.fill('[[text "Stored."]]');
    await page.reload();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(await field.inputValue()).toBe('[[text "Stored."]]');
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Warehouse' });
    await page.getByLabel('Model', { exact: true }).selectOption({ label: 'Haiku (latest)' });
    await page.getByLabel('Files', { exact: true }).selectOption({ label: 'Shared with other sessions' });
    await field.press('Enter');
    await page.waitForURL(/\/sessions\//);
    await me.waitForEnds(1);
    const started = (await sessions()).filter((session) => session.projectId === project.id);
    expect(started.map(({ options, workspace }) => [options, workspace])).toEqual([[{ model: 'haiku' }, 'shared']]);
    await page.goto(`${me.url}/`);
    await field.waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('asks for another project when the chosen one is archived meanwhile, and keeps the words', async () => {
    const harbour = await product.owner.createProject('Harbour');
    await product.owner.createProject('Dock');
    const me = await product.openSignedIn();
    const { page } = me;
    const [field, project] = [
      page.getByRole('textbox', { name: 'First message' }),
      page.getByLabel('Project', { exact: true }),
    ];
    await project.selectOption({ label: 'Harbour' });
    await field.fill('Repair the harbour wall.');
    expect((await product.owner.call('DELETE', `/v1/projects/${harbour.id}`)).status).toBe(204);
    const start = page.getByRole('button', { name: 'Start session' });
    await start.click();
    const notice = page.getByRole('alert').filter({ hasText: '“Harbour” is archived. Choose another project' });
    await notice.waitFor();
    expect([await project.inputValue(), await start.isDisabled()]).toEqual(['', true]);
    await field.press('Enter');
    expect([await field.inputValue(), new URL(page.url()).pathname]).toEqual(['Repair the harbour wall.', '/']);
    await project.selectOption({ label: 'Dock' });
    await notice.waitFor({ state: 'detached' });
    expect([await field.inputValue(), await start.isEnabled()]).toEqual(['Repair the harbour wall.', true]);
    await field.fill('');
  });
});
