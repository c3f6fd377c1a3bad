import { OWNER, startStack, TestClient, type Stack } from '@chirality/testing';

jest.setTimeout(120_000);

type Boot = { boot: { claudeSessionId: string | null; bootFingerprint: string | null; bootedAt: string | null } };

describe('booting a session', () => {
  let stack: Stack;
  let person: TestClient;
  let projectId: string;

  beforeAll(async () => {
    stack = await startStack();
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    projectId = (await person.createProject()).id;
  });
  afterAll(() => stack?.stop());

  const boot = (sessionId: string) => person.call<Boot>('POST', `/v1/sessions/${sessionId}/boot`, {});

  it('stores what it was booted for, starts no program, and answers the same when asked again', async () => {
    const { id } = await person.createSession(projectId, { persona: 'reviewer' });
    const first = await boot(id);
    expect(first.status).toBe(200);
    expect(first.body.boot).toEqual({ claudeSessionId: null, bootFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), bootedAt: expect.any(String) });
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
    const notices = (await person.events(id)).filter(({ kind, turn: of }) => kind === 'turn:notice' && of === turn.id).map(({ payload }) => (payload as { code: string }).code);
    expect(notices).toContain('SESSION_REBOOTED');
  });
});
