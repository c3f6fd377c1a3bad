import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  bodyOfRequest,
  GIT_HOST,
  makeGitRepository,
  pushCommit,
  runGit,
  startGitHost,
  waitFor,
  type GitHost,
} from '@chirality/testing';
import type { Problem, Project, PushAnswer } from '@chirality/contracts';
import { findings } from './support/axe';
import { BrowserStack } from './support/browser-stack';

jest.setTimeout(240_000);

describe('a project and its remote in the dashboard', () => {
  let host: GitHost;
  let stack: BrowserStack;
  let project: Project;
  const bare = () => join(host.directory, 'private', 'lamp.git');

  beforeAll(async () => {
    host = await startGitHost();
    host.signIn = 'ada:s3cret-t0ken-of-ada';
    mkdirSync(join(host.directory, 'private'));
    makeGitRepository(bare(), [{ 'lamp.txt': 'off\n', 'README.md': '# Lamp\n' }]);
    runGit(bare(), ['config', 'http.receivepack', 'true']);
    stack = await BrowserStack.start({
      env: {
        NODE_ENV: 'test',
        CHIRALITY_TEST_HOSTS: JSON.stringify({ [GIT_HOST]: '127.0.0.1' }),
        CHIRALITY_TEST_AUTHORITIES: host.authorities,
      },
    });
    const account = { scope: 'user', host: `${GIT_HOST}:${host.port}`, kind: 'token', username: 'ada' };
    await stack.owner.call('POST', '/v1/git-accounts', { ...account, secret: 's3cret-t0ken-of-ada' });
    const source = { kind: 'git', url: host.url('private/lamp.git') };
    project = (await stack.owner.call<Project>('POST', '/v1/projects', { name: 'Lamp', source })).body;
    await waitFor(async () => (await read()).sourceState.status === 'ready', { what: 'it is here', timeoutMs: 60_000 });
  });
  afterAll(async () => {
    await stack?.stop();
    await host?.close();
  });

  const read = async () => (await stack.owner.call<Project>('GET', `/v1/projects/${project.id}`)).body;

  it('is refreshed by a button, brought into a session with its conflicts, and undone', async () => {
    const session = await stack.owner.createSession(project.id, { visibility: 'project', title: 'Lamp' });
    const turn = await stack.owner.send(
      session.id,
      '[[tool Bash {"command":"echo mine > lamp.txt && git commit -qam Mine"}]] [[text Done.]]',
      { autoApproveTools: ['Bash'] },
    );
    await stack.owner.waitForEnd(session.id, turn.id, 60_000);
    const commit = pushCommit(bare(), { 'lamp.txt': 'theirs\n' });
    const me = await stack.openSignedIn();
    const { page, url } = me;
    await page.goto(`${url}/projects/${project.id}`);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('region', { name: 'Remote' }).getByText(commit.slice(0, 8)).waitFor();
    expect(await findings(me)).toEqual([]);
    await me.openSession(session.id);
    await page.getByRole('button', { name: 'Files and changes' }).click();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByText('1 commit behind main').waitFor();
    await page.getByRole('button', { name: 'Bring in the base' }).click();
    await page.getByText('Conflicts in 1 file').waitFor();
    expect(await findings(me)).toEqual([]);
    await page.getByRole('button', { name: 'Ask Claude to resolve them' }).click();
    expect(await me.composer.inputValue()).toContain('- "lamp.txt"');
    await page.getByRole('button', { name: 'Undo the merge' }).click();
    await page.getByText('Conflicts in 1 file').waitFor({ state: 'detached' });
    await page.getByText('1 commit behind main').waitFor();
    expect(await stack.closeWindows()).toEqual([]);
  });

  it('says what of its source is not here, and how far the remote is ahead when a refresh is stopped', async () => {
    const parts = join(host.directory, 'private', 'parts.git');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 3000000\n`;
    makeGitRepository(parts, [{ 'art.psd': pointer, '.gitattributes': '*.psd filter=lfs -text\n' }]);
    pushCommit(parts, { '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = https://other.example/lib.git\n' });
    runGit(`${parts}.work`, ['update-index', '--add', '--cacheinfo', `160000,${'d'.repeat(40)},lib`]);
    runGit(`${parts}.work`, ['commit', '-q', '-m', 'Link']);
    runGit(`${parts}.work`, ['push', '-q', parts, 'HEAD:main']);
    runGit(parts, ['config', 'uploadpack.allowFilter', 'true']);
    const source = { kind: 'git', url: host.url('private/parts.git') };
    const { id } = (await stack.owner.call<Project>('POST', '/v1/projects', { name: 'Parts', source })).body;
    const now = async () => (await stack.owner.call<Project>('GET', `/v1/projects/${id}`)).body;
    await waitFor(async () => (await now()).sourceState.status === 'ready', { what: 'it is here', timeoutMs: 60_000 });
    const me = await stack.openSignedIn();
    const { page, url } = me;
    await page.goto(`${url}/projects/${id}`);
    await page.getByText('1 file is a Git LFS pointer').waitFor();
    await page.getByText('1 submodule is empty in sessions').waitFor();
    await page.getByText('Which ones, and why').click();
    await page.getByText('it is on another host (other.example)').waitFor();
    pushCommit(parts, { 'b.txt': '1' });
    pushCommit(parts, { 'c.txt': '2' });
    host.answerFirst = async (request) => {
      const body = await bodyOfRequest(request);
      return body.includes('command=fetch') && !body.includes('filter tree:0');
    };
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The remote is 2 commits ahead').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The refresh was stopped').waitFor();
    await page.getByText('The remote is 2 commits ahead').waitFor();
    expect(await findings(me)).toEqual([]);
    expect(await now()).toMatchObject({ behind: 2, refresh: { status: 'failed', remote: { behind: 2 } } });
    host.answerFirst = async () => false;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The remote is 2 commits ahead').waitFor({ state: 'detached' });
    expect((await now()).behind).toBe(0);
    expect(await stack.closeWindows()).toEqual([]);
  });

  it('gets a session’s commits as the person who presses, after a commit in the same dialog', async () => {
    const session = await stack.owner.createSession(project.id, { visibility: 'project', title: 'Light it' });
    const turn = await stack.owner.send(session.id, '[[tool Bash {"command":"echo on > 灯.txt"}]] [[text Done.]]', {
      autoApproveTools: ['Bash'],
    });
    await stack.owner.waitForEnd(session.id, turn.id, 60_000);
    const me = await stack.openSignedIn();
    const { page } = me;
    await me.openSession(session.id);
    await page.getByRole('button', { name: 'Files and changes' }).click();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('button', { name: 'Push…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 uncommitted file will not be pushed').waitFor();
    await dialog.getByText('灯.txt').waitFor();
    expect(await findings(me)).toEqual([]);
    const branch = await dialog.getByLabel('Branch').inputValue();
    expect(branch).toMatch(/^chirality\/light-it-[0-9a-z]{8}$/);
    await dialog.getByLabel('Commit message').fill('Light the lamp');
    await dialog.getByRole('button', { name: 'Commit and push' }).click();
    await dialog.getByText(`Pushed to ${branch}`).waitFor();
    expect(runGit(bare(), ['log', '-1', '--format=%an|%s', branch])).toMatch(/\|Light the lamp$/);
    // Two presses make one push, and nothing is sent twice.
    const [one, two] = await Promise.all(
      [1, 2].map(() => stack.owner.call<PushAnswer & Problem>('POST', `/v1/sessions/${session.id}/push`, {})),
    );
    expect([one?.status, two?.status, one?.body.commit]).toEqual([200, 200, two?.body.commit]);
    const shown = JSON.stringify((await stack.owner.call('GET', '/v1/audit?action=session:push')).body);
    expect(shown).toContain(branch);
    expect(shown).not.toContain('s3cret');
  });
});
