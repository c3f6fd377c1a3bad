import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER, startStack, TestClient, waitFor, type Stack } from '@chirality/testing';
import { allowWriting, forbidWriting, stateOfTree } from './support/tree-state';

jest.setTimeout(120_000);

type Boot = { boot: { claudeSessionId: string | null; bootFingerprint: string | null; bootedAt: string | null } };

describe('booting a session', () => {
  let stack: Stack;
  let person: TestClient;
  let projectId: string;
  let root: string;

  beforeAll(async () => {
    root = mkdtempSync('/tmp/chirality-root-');
    chmodSync(root, 0o755);
    writeFileSync(join(root, 'README.md'), '# Here before\n');
    stack = await startStack({ env: { CHIRALITY_ALLOWED_ROOTS: root } });
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    projectId = (await person.createProject()).id;
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const boot = (sessionId: string) => person.call<Boot>('POST', `/v1/sessions/${sessionId}/boot`, {});

  it('stores what it was booted for, starts no program, and answers the same when asked again', async () => {
    const { id } = await person.createSession(projectId, { persona: 'reviewer' });
    const first = await boot(id);
    expect(first.status).toBe(200);
    expect(first.body.boot).toEqual({
      claudeSessionId: null,
      bootFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      bootedAt: expect.any(String),
    });
    const again = await boot(id);
    expect(again.body.boot).toEqual(first.body.boot);
    expect((await person.events(id)).map(({ kind }) => kind)).not.toContain('session:init');
  });

  it('is done by the first turn, and again by the next one when something changed, which is said', async () => {
    const { id } = await person.createSession(projectId);
    await person.waitForEnd(id, (await person.send(id, '[[text One.]]')).id);
    const before = (await person.session(id)).bootFingerprint;
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    await person.call('PATCH', `/v1/sessions/${id}`, { options: { maxTurns: 7 } });
    const turn = await person.waitForEnd(id, (await person.send(id, '[[text Two.]]')).id);
    expect((await person.session(id)).bootFingerprint).not.toBe(before);
    const notices = (await person.events(id))
      .filter(({ kind, turn: of }) => kind === 'turn:notice' && of === turn.id)
      .map(({ payload }) => (payload as { code: string }).code);
    expect(notices).toContain('SESSION_REBOOTED');
  });

  it('writes nothing: neither where the project’s files lie nor into the session’s copy of them', async () => {
    const project = await person.call<{ id: string }>('POST', '/v1/projects', {
      name: 'Lies elsewhere',
      source: { kind: 'directory', path: root },
    });
    const { id } = await person.createSession(project.body.id);
    const before = stateOfTree(root);
    forbidWriting(root);
    expect((await boot(id)).status).toBe(200);
    allowWriting(root);
    expect(stateOfTree(root)).toEqual(before);

    await person.waitForEnd(
      id,
      (await person.send(id, '[[tool Write {"file_path":"/workspace/made.txt","content":"x"}]] [[text Made.]]')).id,
    );
    await person.call('PATCH', `/v1/sessions/${id}`, { options: { maxTurns: 8 } });
    const copy = workspaceOf(id);
    const own = stateOfTree(copy);
    expect(own.map(([path]) => path)).toEqual(expect.arrayContaining(['README.md', 'made.txt']));
    forbidWriting(copy);
    const again = await boot(id);
    allowWriting(copy);
    expect(again.status).toBe(200);
    expect(stateOfTree(copy)).toEqual(own);
    expect(stateOfTree(root)).toEqual(before);
  });

  it('is distinguished from a turn while it runs, and sessions boot side by side', async () => {
    const [one, two] = await Promise.all([person.createSession(projectId), person.createSession(projectId)]);
    for (const worker of stack.workers) worker.kill('SIGSTOP');
    const booting = [boot(one.id), boot(two.id)];
    await waitFor(
      async () =>
        (await Promise.all([one, two].map(({ id }) => person.session(id)))).every(
          ({ activeTurnId }) => activeTurnId !== null,
        ),
      { what: 'both boots are accepted', timeoutMs: 10_000 },
    );
    expect(await boot(one.id)).toMatchObject({ status: 409, body: { code: 'BOOT_IN_PROGRESS' } });
    expect(await person.call('POST', `/v1/sessions/${one.id}/turns`, { message: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'BOOT_IN_PROGRESS' },
    });
    for (const worker of stack.workers) worker.kill('SIGCONT');
    expect((await Promise.all(booting)).map(({ status }) => status)).toEqual([200, 200]);
  });

  function workspaceOf(sessionId: string): string {
    const disks = readdirSync(stack.directory).map((name) =>
      join(stack.directory, name, 'sessions', sessionId, 'workspace'),
    );
    return disks.find((path) => existsSync(path)) ?? 'nowhere';
  }
});
