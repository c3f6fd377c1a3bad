import type { Envelope, Session, SessionWorkspace, Turn, UnpushedWork } from '@chirality/contracts';
import { TestClient, waitFor } from '@chirality/testing';
import { findings } from './support/axe';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';
import type { Dashboard } from './support/dashboard';

jest.setTimeout(300_000);

const PICTURES = process.env['PICTURES'];
const tool = (name: string, input: Record<string, string>) => `[[tool ${name} ${JSON.stringify(input)}]]`;
const write = (path: string, content: string) => tool('Write', { file_path: `/workspace/${path}`, content });
const read = (path: string) => tool('Read', { file_path: `/workspace/${path}` });

describe('sessions that share their files', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  const startShared = async ({ page, composer, url }: Dashboard, projectId: string, title: string) => {
    await page.goto(`${url}/projects/${projectId}`);
    await page.getByRole('button', { name: 'New session' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Files' }).selectOption({ label: 'Shared with other sessions' });
    await dialog.getByText('One works at a time.').waitFor();
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/shared-new.png` });
    await dialog.getByText('More', { exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
    await dialog.getByRole('button', { name: 'Start session' }).click();
    await page.waitForURL(/\/sessions\//);
    await composer.waitFor();
    return page.url().split('/').at(-1) ?? '';
  };
  const changedNotices = (events: readonly Envelope[]) =>
    events.filter(
      ({ kind, payload }) => kind === 'turn:notice' && JSON.stringify(payload).includes('WORKSPACE_CHANGED'),
    );
  const untilStored = (sessionId: string) =>
    waitFor(
      async () =>
        (await product.owner.call<UnpushedWork>('GET', `/v1/sessions/${sessionId}/unpushed-work`)).body.state ===
        'known',
      { what: 'the files are stored', timeoutMs: 60_000 },
    );

  it('work one at a time, each says which, who and since when, and the files follow to any worker', async () => {
    const project = await product.owner.createProject('Plans');
    const person = await product.newMember('Ada');
    const ada = await product.openSignedIn(person);
    const adaAtApi = await TestClient.login(product.stack.url, person.email, person.password);
    const me = await product.openSignedIn();
    const mine = await startShared(me, project.id, 'Refactoring');
    const hers = await startShared(ada, project.id, 'Tests');

    await me.send(
      `${write('mine.txt', 'from the owner')} ${tool('Bash', { command: 'rm -f nothing' })} [[text Done.]]`,
    );
    await me.page.getByRole('button', { name: 'Allow once' }).waitFor();
    const note = ada.page.getByRole('status').filter({ hasText: 'Another session works in the shared files' });
    await note.getByRole('link', { name: 'Refactoring' }).waitFor();
    await ada.send(`${read('mine.txt')} ${write('hers.txt', 'from Ada')} [[text Read.]]`);
    await ada.page.getByText('Owner’s turn in “Refactoring”, which shares these files').waitFor();
    expect(await findings(ada)).toEqual([]);
    await ada.page.getByRole('button', { name: 'Shared workspace' }).click();
    await ada.page.getByRole('list', { name: 'Sessions that share these files' }).getByText('Refactoring').waitFor();
    expect(await findings(ada)).toEqual([]);
    if (PICTURES) {
      await ada.page.screenshot({ path: `${PICTURES}/shared-busy.png` });
      await ada.page.emulateMedia({ colorScheme: 'dark' });
      await ada.page.screenshot({ path: `${PICTURES}/shared-busy-dark.png` });
      await ada.page.emulateMedia({ colorScheme: 'light' });
    }
    await ada.page.keyboard.press('Escape');
    await ada.page.getByRole('link', { name: /Tests.*Shared files in use: Owner in “Refactoring”/ }).waitFor();
    expect((await adaAtApi.call('POST', `/v1/sessions/${hers}/commit`, { message: 'Not now' })).body).toMatchObject({
      code: 'WORKSPACE_IN_USE',
      session: { id: mine, title: 'Refactoring' },
    });

    await me.page.getByRole('button', { name: 'Allow once' }).click();
    await me.waitForEnds(1);
    await note.waitFor({ state: 'detached' });
    await ada.page.getByRole('button', { name: 'Send again' }).click();
    await ada.waitForEnds(1);
    expect(JSON.stringify(await adaAtApi.events(hers))).toContain('from the owner');

    // The worker that has the files is killed once they are stored: another one continues with them.
    await Promise.all([untilStored(mine), untilStored(hers)]);
    const [first] = product.stack.workers;
    await product.stack.startWorker();
    first?.kill('SIGKILL');
    await first?.exited;
    await me.send(`${read('hers.txt')} [[text Read too.]]`);
    await me.waitForEnds(2);
    let seen = await product.owner.events(mine);
    expect(JSON.stringify(seen)).toContain('from Ada');
    expect(JSON.stringify(seen)).not.toContain('WORKSPACE_RESTORED');
    expect(changedNotices(seen)).toHaveLength(1);

    // What a person does in one session, the others learn as well.
    const uploaded = await fetch(`${product.stack.url}/v1/sessions/${hers}/files/content?path=by-hand.txt`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${await adaAtApi.renewedToken()}`,
        'content-type': 'application/octet-stream',
        'if-match': '*',
      },
      body: 'by hand',
    });
    expect(uploaded.status).toBeLessThan(300);
    await me.send(`${read('by-hand.txt')} [[text And that.]]`);
    await me.waitForEnds(3);
    seen = await product.owner.events(mine);
    expect(changedNotices(seen)).toHaveLength(2);
    expect(JSON.stringify(seen)).toContain('by hand');
  });

  it('of which some are private say no more than that the files are in use', async () => {
    const project = await product.owner.createProject('Secrets');
    const person = await product.newMember('Bo');
    const bo = await TestClient.login(product.stack.url, person.email, person.password);
    const create = async (who: TestClient, visibility: string, title: string) =>
      (
        await who.call<Session>('POST', '/v1/sessions', {
          ...{ projectId: project.id, workspace: 'shared', visibility, title },
        })
      ).body;
    const hidden = await create(product.owner, 'private', 'Layoffs');
    const his = await create(bo, 'project', 'Docs');
    const turn = await product.owner.send(hidden.id, `${tool('Bash', { command: 'rm -f nothing' })} [[text Done.]]`);
    const page = await product.openSignedIn(person);
    await page.openSession(his.id);
    await page.page.getByText('You can send here when its turn has ended.').waitFor();
    const answers = [
      (await bo.call('POST', `/v1/sessions/${his.id}/turns`, { message: 'x' })).body,
      (await bo.call<SessionWorkspace>('GET', `/v1/sessions/${his.id}/workspace`)).body,
    ];
    for (const answer of [...answers.map((one) => JSON.stringify(one)), await page.page.content()])
      for (const secret of ['Layoffs', hidden.id, turn.id]) expect(answer).not.toContain(secret);
    await product.owner.call('POST', `/v1/sessions/${hidden.id}/interrupt`);
    const ended: Turn = await product.owner.waitForEnd(hidden.id, turn.id);
    expect(ended.status).toBe('interrupted');
    const next = await bo.send(his.id, '[[text Free.]]');
    expect(await bo.waitForEnd(his.id, next.id)).toMatchObject({ status: 'completed', text: 'Free.' });
  });
});
