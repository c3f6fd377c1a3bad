import { BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('network, variables and set-up script of a project in the dashboard', () => {
  let stack: BrowserStack;

  beforeAll(async () => {
    stack = await BrowserStack.start({ env: { NODE_ENV: 'test', CHIRALITY_TEST_HOSTS: '{}' } });
  });
  afterAll(() => stack?.stop());

  it('an admin lists hosts, gives a variable and writes a script; what turns tried is shown', async () => {
    const project = await stack.owner.createProject('Shop');
    const owner = await stack.openSignedIn();
    const { page } = owner;
    await page.goto(`${owner.url}/projects/${project.id}`);
    await page
      .getByRole('navigation', { name: 'Project', exact: true })
      .getByRole('link', { name: 'Settings' })
      .click();
    await page.getByRole('heading', { name: 'Network', exact: true }).waitFor();

    await page.getByLabel('Hosts').fill('Registry.example.org\n10.0.0.1');
    await page.getByRole('button', { name: 'Save hosts' }).click();
    await page.getByText('10.0.0.1 must be a name, not an IP address.').waitFor();
    await page.getByLabel('Hosts').fill('Registry.example.org\n*.example.com:8443');
    await page.getByRole('button', { name: 'Save hosts' }).click();
    await page.getByText('Saved. Applies from the next turn.').waitFor();
    expect(await page.getByLabel('Hosts').inputValue()).toBe('*.example.com:8443\nregistry.example.org');

    await page.getByRole('button', { name: 'New variable' }).click();
    await page.getByLabel('Name').fill('NPM_TOKEN');
    await page.getByLabel('Value').fill('npm_0123456789');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Who gets NPM_TOKEN').selectOption('setup');

    await page.getByLabel('Script', { exact: true }).fill('echo prepared > prepared.txt\n');
    await page.getByRole('button', { name: 'Save script' }).click();
    await page.getByText('It runs before the next turn of each session.').waitFor();
    expect((await stack.owner.call('GET', `/v1/projects/${project.id}/variables`)).body).toMatchObject({
      data: [{ name: 'NPM_TOKEN', givenTo: 'setup' }],
    });

    const session = await stack.owner.createSession(project.id);
    const command = JSON.stringify({
      command:
        'cat prepared.txt; curl -sS http://unlisted.example/ | head -1; curl -sS http://registry.example.org/ | head -1',
      description: 'Reaches out',
    });
    const turn = await stack.owner.send(session.id, `[[tool Bash ${command}]] [[text Done.]]`, {
      autoApproveTools: ['Bash'],
    });
    expect(await stack.owner.waitForEnd(session.id, turn.id)).toMatchObject({ status: 'completed' });
    await page.reload();
    await page.getByText('Denied', { exact: true }).waitFor();
    await page.getByText('Not found').waitFor();
    expect(await page.getByText('npm_0123456789').count()).toBe(0);
    expect([owner.complaints, owner.foreignRequests, await owner.overflowsSideways()]).toEqual([[], [], false]);

    await page.goto(`${owner.url}/sessions/${session.id}`);
    await page.getByText('unlisted.example:80 was not reached').first().waitFor();
    await page.getByText('The project’s set-up script has ended').waitFor();
  });

  it('a member sees what holds and changes nothing, on a phone too', async () => {
    const project = await stack.owner.createProject('Warehouse');
    await stack.owner.call('PUT', `/v1/projects/${project.id}/egress`, {
      hosts: ['registry.example.org', 'a-rather-long-name-of-a-host-that-must-wrap.packages.example.com:8443'],
    });
    await stack.owner.call(
      'PUT',
      `/v1/projects/${project.id}/variables/A_RATHER_LONG_NAME_OF_A_VARIABLE_THAT_MUST_BE_CUT`,
      { value: 'npm_0123456789', givenTo: 'turns' },
    );
    const member = await stack.openSignedIn(await stack.newMember('Grace'), {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    const { page } = member;
    await page.goto(`${member.url}/projects/${project.id}/surroundings`);
    await page.getByText('registry.example.org', { exact: true }).waitFor();
    await page.getByText('There is none. An admin of the team can write one.').waitFor();
    expect(await page.getByRole('button', { name: 'Save hosts' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New variable' }).count()).toBe(0);
    expect([member.complaints, await member.overflowsSideways()]).toEqual([[], false]);
  });
});
