import type { EgressLogEntry, Page } from '@chirality/contracts';
import { OWNER, startStack, TestClient, waitFor, type Stack } from '@chirality/testing';
import { startLocalHosts, type LocalHosts } from './support/local-hosts';

jest.setTimeout(120_000);

describe('reaching hosts from a turn of the real claude', () => {
  let stack: Stack;
  let hosts: LocalHosts;
  let person: TestClient;

  beforeAll(async () => {
    hosts = await startLocalHosts();
    stack = await startStack({
      env: {
        NODE_ENV: 'test',
        CHIRALITY_TEST_HOSTS: JSON.stringify({
          'git.test.example': '127.0.0.1',
          'registry.test.example': '127.0.0.1',
          'unlisted.example': '127.0.0.1',
        }),
      },
    });
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
  });
  afterAll(async () => {
    await stack?.stop();
    await hosts?.close();
  });

  async function projectWith(...listed: string[]): Promise<string> {
    const { id } = await person.createProject();
    await person.call('PUT', `/v1/projects/${id}/egress`, { hosts: listed });
    return id;
  }
  const bash = (command: string) =>
    `[[tool Bash ${JSON.stringify({ command, description: 'Reaches out' })}]] [[text Done.]]`;
  /** What the tool said in a turn of a session in which every command is allowed. */
  async function run(sessionId: string, command: string): Promise<string> {
    const turn = await person.waitForEnd(
      sessionId,
      (await person.send(sessionId, bash(command), { autoApproveTools: ['Bash'] })).id,
      60_000,
    );
    expect(turn).toMatchObject({ status: 'completed', text: 'Done.', error: null });
    const results = (await person.events(sessionId)).filter(
      ({ kind, turn: of }) => kind === 'tool:result' && of === turn.id,
    );
    return JSON.stringify(results.map(({ payload }) => (payload as { content: unknown }).content));
  }
  const notices = async (sessionId: string) =>
    (await person.events(sessionId))
      .filter(({ kind }) => kind === 'turn:notice')
      .map(({ payload }) => payload as { code: string; text: string });
  const log = async (projectId: string) =>
    (await person.call<Page<EgressLogEntry>>('GET', `/v1/projects/${projectId}/egress/log`)).body.data.map(
      ({ host, decision }) => `${host} ${decision}`,
    );

  it('git fetch and npm install work from hosts that the project lists', async () => {
    const projectId = await projectWith(`git.test.example:${hosts.port}`, `*.test.example:${hosts.port}`);
    const session = await person.createSession(projectId);
    expect(
      await run(
        session.id,
        `git fetch -q http://git.test.example:${hosts.port}/repo.git main && git show FETCH_HEAD:fetched.txt`,
      ),
    ).toContain('fetched over http');
    expect(
      await run(
        session.id,
        `cd /tmp && npm install --no-audit --no-fund --registry http://registry.test.example:${hosts.port}/ left-alone && node -p 'require("left-alone")'`,
      ),
    ).toContain('installed over http');
    await waitFor(async () => (await log(projectId)).length === 2, { what: 'the log is written' });
    expect((await log(projectId)).sort()).toEqual(['git.test.example allowed', 'registry.test.example allowed']);
    expect((await notices(session.id)).filter(({ code }) => code === 'EGRESS_REFUSED')).toEqual([]);
  });

  it('fail clearly from others: the program, the session and the log say why', async () => {
    const projectId = await projectWith(`git.test.example:${hosts.port}`);
    const session = await person.createSession(projectId);
    const before = hosts.requests.length;
    expect(await run(session.id, `git fetch http://unlisted.example:${hosts.port}/repo.git main 2>&1; true`)).toContain(
      '403',
    );
    expect(
      await run(
        session.id,
        `cd /tmp && npm install --fetch-retries 0 --registry http://unlisted.example:${hosts.port}/ left-alone 2>&1; true`,
      ),
    ).toContain('403');
    expect(await run(session.id, `curl -sS -k https://unlisted.example/ 2>&1; true`)).toContain('403');
    expect(hosts.requests.length).toBe(before);
    expect(
      (await notices(session.id)).filter(({ code }) => code === 'EGRESS_REFUSED').map(({ text }) => text),
    ).toContain(
      `unlisted.example:${hosts.port} was not reached: it is not on this project’s list of hosts. An admin can add it on the project’s page.`,
    );
    await waitFor(async () => (await log(projectId)).length === 2, { what: 'the log is written' });
    expect(await log(projectId)).toEqual(['unlisted.example not_listed', 'unlisted.example not_listed']);
  });

  it('a project without a list has no network and no proxy, and a list holds from the next process on', async () => {
    const { id: projectId } = await person.createProject();
    const session = await person.createSession(projectId);
    const fetching = `git fetch -q http://git.test.example:${hosts.port}/repo.git main 2>&1 && git show FETCH_HEAD:fetched.txt; echo "proxy=<$http_proxy>"`;
    expect(await run(session.id, fetching)).toContain('proxy=<>');
    expect(await run(session.id, fetching)).toContain('Could not resolve host');
    await person.call('PUT', `/v1/projects/${projectId}/egress`, { hosts: [`git.test.example:${hosts.port}`] });
    expect(await run(session.id, fetching)).toContain('fetched over http');
    await person.call('PUT', `/v1/projects/${projectId}/egress`, { hosts: [] });
    expect(await run(session.id, fetching)).toContain('Could not resolve host');
    const starts = (await person.events(session.id))
      .filter(({ kind }) => kind === 'turn:start')
      .map(({ payload }) => (payload as { process: string }).process);
    expect(starts).toEqual(['cold', 'parked', 'cold', 'cold']);
  });

  it('WebFetch goes to a listed host, by the proxy alone and without a permission request, and is denied for others', async () => {
    const projectId = await projectWith(`git.test.example:${hosts.port}`);
    const session = await person.createSession(projectId);
    const fetching = (url: string) => `[[tool WebFetch ${JSON.stringify({ url, prompt: 'What does it say?' })}]]`;
    const message = `${fetching(`https://git.test.example:${hosts.port}/page`)} ${fetching(`https://unlisted.example:${hosts.port}/page`)} [[text Done.]]`;
    const turn = await person.waitForEnd(
      session.id,
      (await person.send(session.id, message, { autoApproveTools: ['WebFetch'] })).id,
      60_000,
    );
    expect(turn).toMatchObject({ status: 'completed', text: 'Done.' });
    expect((await notices(session.id)).map(({ text }) => text)).toContain(
      "WebFetch was not allowed: unlisted.example is not on this project's list of hosts",
    );
    await waitFor(async () => (await log(projectId)).length > 0, { what: 'the log is written' });
    expect(await log(projectId)).toEqual(['git.test.example allowed']);
  });

  it('offers the tools that reach out only where the project has opened what they need', async () => {
    const toolsOf = async (projectId: string) => {
      const session = await person.createSession(projectId);
      await person.waitForEnd(session.id, (await person.send(session.id, '[[text Hello.]]')).id);
      const init = (await person.events(session.id)).find(({ kind }) => kind === 'session:init');
      return (init?.payload as { tools: string[] }).tools.filter((tool) => tool.startsWith('Web'));
    };
    expect(await toolsOf((await person.createProject()).id)).toEqual([]);
    expect(await toolsOf(await projectWith('git.test.example'))).toEqual(['WebFetch']);
    const { id } = await person.createProject();
    await person.call('PUT', `/v1/projects/${id}/egress`, { hosts: [], webSearch: true });
    expect(await toolsOf(id)).toEqual(['WebSearch']);
  });
});
