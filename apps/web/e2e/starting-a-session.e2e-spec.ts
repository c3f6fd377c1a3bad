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
    const project = (await product.owner.call<{ name: string; source: unknown }>('GET', `/v1/projects/${session?.projectId}`)).body;
    expect(project).toMatchObject({ name: 'Sample project', source: { kind: 'empty', sample: true } });
    expect(await me.conversationText()).toContain('Explain this project');
  });

  it('starts in the project that was chosen, keeps unsent words, and leaves none behind', async () => {
    const project = await product.owner.createProject('Warehouse');
    const me = await product.openSignedIn();
    const { page } = me;
    const field = page.getByRole('textbox', { name: 'First message' });
    await field.fill('[[text "Stored."]]');
    await page.reload();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(await field.inputValue()).toBe('[[text "Stored."]]');
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Warehouse' });
    await field.press('Enter');
    await page.waitForURL(/\/sessions\//);
    await me.waitForEnds(1);
    expect((await sessions()).filter((session) => session.projectId === project.id)).toHaveLength(1);
    await page.goto(`${me.url}/`);
    await field.waitFor();
    expect(await field.inputValue()).toBe('');
  });
});
