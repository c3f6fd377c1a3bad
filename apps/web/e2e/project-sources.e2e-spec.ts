import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GIT_HOST, makeGitRepository, startGitHost, type GitHost } from '@chirality/testing';
import { BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('files of a project from elsewhere in the dashboard', () => {
  let host: GitHost;
  let stack: BrowserStack;

  beforeAll(async () => {
    host = await startGitHost();
    makeGitRepository(join(host.directory, 'lighthouse.git'), [{ 'lamp.txt': 'lit' }]);
    makeGitRepository(join(host.directory, 'shipyard.git'), [
      {
        'README.md': '# Shipyard\n',
        'src/deep/crane.ts': 'export const crane = 1;\n',
        'src/invoice\u202efdp.exe': 'x',
        'logo.bin': '\u0000\u0001',
        'אב/בן.md': 'long'.repeat(100_000),
      },
    ]);
    stack = await BrowserStack.start({
      env: {
        NODE_ENV: 'test',
        CHIRALITY_TEST_HOSTS: JSON.stringify({ [GIT_HOST]: '127.0.0.1' }),
        CHIRALITY_TEST_AUTHORITIES: host.authorities,
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await host?.close();
  });

  it('is made in the dialog, shows how far it is, and takes a session when it is here', async () => {
    const { held, release } = host.hold('/lighthouse.git/git-upload-pack');
    const owner = await stack.openSignedIn();
    const { page } = owner;
    await page.goto(owner.url);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog').getByText('Git repository').click();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://ada:s3cret@git.test.example/lighthouse.git');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must hold no user name and no password').waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill(host.url('lighthouse.git'));
    expect(await page.getByLabel('Name').inputValue()).toBe('lighthouse');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'lighthouse', level: 1 }).waitFor();
    await held;
    await page.getByRole('progressbar', { name: 'Asking the server for the repository' }).waitFor();
    expect(await page.getByRole('button', { name: 'New session' }).isDisabled()).toBe(true);
    release();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('dialog').waitFor();
    expect([
      owner.complaints.filter((complaint) => !complaint.includes('400')),
      owner.foreignRequests,
      await owner.overflowsSideways(),
    ]).toEqual([[], [], false]);
  });

  it('can be an archive instead: one that is none is refused, the next one is sent and unpacked', async () => {
    const owner = await stack.openSignedIn();
    const { page } = owner;
    await page.goto(owner.url);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog').getByText('Upload', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Boathouse');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Upload the project’s files').waitFor();
    expect(await page.getByRole('button', { name: 'New session' }).isDisabled()).toBe(true);
    await page
      .getByLabel('Archive', { exact: true })
      .setInputFiles({ name: 'broken.tar.gz', mimeType: 'application/gzip', buffer: Buffer.from('no archive') });
    await page.getByRole('alert').getByText('it is not a valid .tar.gz or .zip archive').waitFor();
    const archive = execFileSync('tar', ['-czf', '-', 'lighthouse.git.work/lamp.txt'], { cwd: host.directory });
    await page
      .getByLabel('Archive', { exact: true })
      .setInputFiles({ name: 'boathouse.tar.gz', mimeType: 'application/gzip', buffer: archive });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('dialog').waitFor();
    const projectId = page.url().split('/').at(-1) ?? '';
    const session = await stack.owner.createSession(projectId);
    const turn = await stack.owner.send(session.id, '[[tool Bash {"command":"cat lamp.txt"}]] [[text Read.]]', {
      autoApproveTools: ['Bash'],
    });
    expect(await stack.owner.waitForEnd(session.id, turn.id, 60_000)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(await stack.owner.events(session.id))).toContain('"content":"lit"');
    expect(readdirSync(join(stack.stack.directory, 'blobs', 'projects', projectId))).toEqual(['fetch-2.bundle']);
    expect([owner.complaints, owner.foreignRequests, await owner.overflowsSideways()]).toEqual([[], [], false]);
  });

  it('that cannot be fetched says why, is tried again, and can be archived; on a phone too', async () => {
    const owner = await stack.openSignedIn(undefined, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    const { page } = owner;
    const { body: project } = await stack.owner.call<{ id: string }>('POST', '/v1/projects', {
      name: 'Harbour',
      source: { kind: 'git', url: host.url('harbour.git') },
    });
    await page.goto(`${owner.url}/projects/${project.id}`);
    await page.getByRole('alert').getByText('There is no repository at this address').waitFor();
    expect(await owner.overflowsSideways()).toBe(false);
    makeGitRepository(join(host.directory, 'harbour.git'), [{ 'quay.txt': 'long' }]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await stack.owner.createSession(project.id);
    await page.getByRole('button', { name: 'More for this project' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page
      .getByRole('dialog')
      .getByText('It has 1 session. Private sessions of other people are not counted.')
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    const { body: lost } = await stack.owner.call<{ id: string }>('POST', '/v1/projects', {
      name: 'Lost',
      source: { kind: 'git', url: host.url('private.git') },
    });
    await page.goto(owner.url);
    await page.getByRole('link', { name: /Lost.*Not fetched/ }).click();
    await page.getByText('only after signing in').waitFor();
    await page.getByRole('link', { name: 'Add a git account' }).waitFor();
    await page.getByRole('button', { name: 'More for this project' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect((await stack.owner.call('GET', `/v1/projects/${lost.id}`)).status).toBe(404);
    expect([owner.complaints, owner.foreignRequests]).toEqual([[], []]);
  });

  it('come from a private repository with an account that is added in the settings and tested there', async () => {
    const token = 'glpat-t0ken-of-the-browser-0123456789';
    host.signIn = `ada:${token}`;
    makeGitRepository(join(host.directory, 'private/dock.git'), [{ 'crane.txt': 'up' }]);
    execFileSync('git', ['-C', join(host.directory, 'private/dock.git'), 'branch', 'night/功能']);
    const url = host.url('private/dock.git');
    const owner = await stack.openSignedIn();
    const { page } = owner;
    const dialog = page.getByRole('dialog');
    await page.goto(owner.url);
    await page.getByRole('button', { name: 'New project' }).click();
    await dialog.getByText('Git repository').click();
    await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog
      .getByRole('alert')
      .getByText(`there is no git account for ${GIT_HOST}:${host.port} with a token`)
      .waitFor();
    expect(await dialog.getByRole('link', { name: 'Add a git account' }).getAttribute('href')).toBe('/settings');

    await page.goto(`${owner.url}/settings`);
    await page.getByText('No git accounts yet').waitFor();
    await page.getByRole('button', { name: 'Add account' }).click();
    await dialog.getByRole('textbox', { name: 'Host' }).fill('not a host');
    await dialog.getByRole('textbox', { name: 'User name (optional)' }).fill('ada');
    await dialog.getByLabel('Token', { exact: true }).fill(token);
    await dialog.getByRole('button', { name: 'Add account' }).click();
    await dialog.getByText('Enter the name of the git host alone').waitFor();
    await dialog.getByRole('textbox', { name: 'Host' }).fill(`https://${GIT_HOST}:${host.port}/`);
    await dialog.getByRole('button', { name: 'Add account' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('not used yet').waitFor();
    await page.getByRole('button', { name: `Test: ${GIT_HOST}:${host.port}` }).click();
    await dialog.getByRole('textbox', { name: 'Address of a repository' }).fill(url);
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText('It has 2 branches; the default branch is main.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('added by Owner · last used').waitFor();
    await page.getByRole('button', { name: 'Add account' }).click();
    await dialog.getByText('SSH key', { exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Host' }).fill('code.example.org');
    await dialog.getByRole('button', { name: 'Create SSH key' }).click();
    await dialog.getByText(/^ssh-ed25519 AAAA\S+ chirality@code\.example\.org$/).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await owner.overflowsSideways()).toBe(false);

    await page.goto(owner.url);
    await page.getByRole('button', { name: 'New project' }).click();
    await dialog.getByText('Git repository').click();
    await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByRole('combobox', { name: 'Branch' }).selectOption('night/功能');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'dock', level: 1 }).waitFor();
    await page.getByText('(night/功能)').waitFor();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New session' }).first().click();
    await dialog.waitFor();
    expect([owner.complaints.filter((complaint) => !/40[09]|422/.test(complaint)), owner.foreignRequests]).toEqual([
      [],
      [],
    ]);
  });

  it('are looked at on a tab of the project, a folder and a file at a time, each with an address', async () => {
    const { held, release } = host.hold('/shipyard.git/git-upload-pack');
    const project = (
      await stack.owner.call('POST', '/v1/projects', {
        name: 'Shipyard',
        source: { kind: 'git', url: host.url('shipyard.git') },
      })
    ).body as { id: string };
    const owner = await stack.openSignedIn();
    const { page } = owner;
    await page.goto(`${owner.url}/projects/${project.id}`);
    await held;
    await page.getByRole('navigation', { name: 'Project', exact: true }).getByRole('link', { name: 'Files' }).click();
    await page.waitForURL(/\/projects\/[^/]+\/files$/);
    await page.getByRole('progressbar').waitFor();
    expect(await page.getByRole('heading', { name: 'Files' }).count()).toBe(0);
    release();
    const tree = page.getByRole('navigation', { name: 'Files', exact: true });
    await tree.getByRole('button', { name: 'src' }).waitFor();
    const { body } = await stack.owner.call('GET', `/v1/projects/${project.id}/files`);
    const { commit } = body as { commit: { commit: string } };
    await page.getByText(`Commit ${commit.commit.slice(0, 7)}`).waitFor();

    await tree.getByRole('button', { name: 'src' }).focus();
    await page.keyboard.press('Enter');
    await tree.getByRole('button', { name: 'invoice⟨U+202E⟩fdp.exe' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/path=src%2Fdeep%2F/);
    await tree.getByRole('button', { name: 'crane.ts' }).click();
    await page.getByRole('region', { name: 'Content of src/deep/crane.ts' }).getByText('export const crane').waitFor();
    await page.waitForURL(/path=src%2Fdeep%2Fcrane\.ts/);
    await tree.getByRole('button', { name: 'logo.bin' }).click();
    await page.getByText('Binary file (2 B). It cannot be shown as text.').waitFor();
    await tree.getByRole('button', { name: 'אב' }).click();
    await tree.getByRole('button', { name: 'בן.md' }).click();
    await page.getByText('Showing the first part of 391 KB.').waitFor();
    const [folder, name] = await page
      .getByTitle('אב/בן.md')
      .locator('bdi')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().left));
    expect(folder).toBeLessThan(name!);
    expect([owner.complaints, owner.foreignRequests, await owner.overflowsSideways()]).toEqual([[], [], false]);

    const unavailable = {
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 503, code: 'WORKSPACE_UNAVAILABLE', detail: 'No worker is running.' }),
    };
    await page.route(/\/v1\/projects\/[^/]+\/files(\?|$)/, (route) => route.fulfill(unavailable));
    await page.goto(`${owner.url}/projects/${project.id}/files`);
    await page.getByRole('alert').getByText('No worker is running.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await tree.getByRole('button', { name: 'src' }).waitFor();

    const member = await stack.openSignedIn(await stack.newMember('Grace'), {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    const phone = member.page;
    await phone.goto(`${member.url}/projects/${project.id}/files?path=src%2Fdeep%2Fcrane.ts`);
    await phone.getByRole('region', { name: 'Content of src/deep/crane.ts' }).waitFor();
    await phone.getByRole('button', { name: 'Back to the files' }).click();
    await phone.locator('button:focus', { hasText: 'crane.ts' }).waitFor();
    await phone.goto(`${member.url}/projects/${project.id}/files?path=nowhere.txt`);
    await phone.getByRole('alert').getByText('There is no such file or directory').waitFor();
    expect([member.complaints, await member.overflowsSideways()]).toEqual([[], false]);
  });
});
