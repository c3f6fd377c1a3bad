import type { Project, ProjectRule, SessionRule, Turn } from '@chirality/contracts';
import { waitFor, type TestClient } from '@chirality/testing';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

const touch = (file: string) => `[[tool Bash {"command":"touch ${file}"}]]`;

describe('a project’s policy', () => {
  let product: FaultStack;
  let person: TestClient;
  let project: Project;

  beforeAll(async () => {
    product = await startFaultStack({ env: { CHIRALITY_WORKER_SLOTS: '3' } });
    person = product.person;
  });
  afterAll(() => product?.stop());
  beforeEach(async () => {
    project = await person.createProject();
  });

  const open = (more?: Record<string, unknown>) => WatchedSession.open(person, project.id, more);
  const addRule = (rule: object) => person.call<ProjectRule>('POST', `/v1/projects/${project.id}/rules`, rule);
  const set = (body: object) => person.call<Project>('PATCH', `/v1/projects/${project.id}`, body);
  const files = async (watched: WatchedSession) =>
    JSON.stringify((await person.call('GET', `/v1/sessions/${watched.id}/files?path=`)).body);

  async function request(
    watched: WatchedSession,
    turn: Turn,
    index = 0,
  ): Promise<{ permissionId: string; input: { command: string } }> {
    await waitFor(() => watched.payloads(turn, 'permission:request').length > index, {
      what: 'a person is asked',
      timeoutMs: 30_000,
    });
    return watched.payloads(turn, 'permission:request')[index] as never;
  }
  const answer = (watched: WatchedSession, permissionId: string, decision: string) =>
    person.call('POST', `/v1/sessions/${watched.id}/permissions/${permissionId}`, { decision });

  async function done(watched: WatchedSession): Promise<void> {
    await watched.expectLawful();
    watched.close();
  }

  it('refuses a command whatever the session has allowed, and from the next tool on', async () => {
    const watched = await open({ options: { autoApproveTools: ['Bash'] } });
    const before = await watched.run(`${touch('before.txt')} [[text Made.]]`);
    expect(before).toMatchObject({ status: 'completed', permissionDenials: [] });
    expect((await addRule({ tool: 'Bash', pattern: 'touch *', effect: 'deny' })).status).toBe(201);
    const after = await watched.run(
      `${touch('after.txt')} [[tool Bash {"command":"env touch after.txt"}]] [[tool Bash {"command":"true && touch after.txt"}]] [[tool Bash {"command":"mkdir other"}]] [[text Tried.]]`,
    );
    expect(after).toMatchObject({ status: 'completed', text: 'Tried.' });
    expect(after.permissionDenials.map(({ input }) => (input as { command: string }).command)).toEqual([
      'touch after.txt',
      'env touch after.txt',
      'true && touch after.txt',
    ]);
    expect(watched.kinds(after)).not.toContain('permission:request');
    const seen = await files(watched);
    expect(seen).toContain('before.txt');
    expect(seen).toContain('other');
    expect(seen).not.toContain('after.txt');
    await done(watched);
  });

  it('keeps files from being read, whichever way they are named, and has a search leave them out', async () => {
    const watched = await open({ options: { autoApproveTools: ['Bash'] } });
    await watched.run(
      '[[tool Write {"file_path":"secret/a.txt","content":"needle one"}]] [[tool Write {"file_path":"src/b.txt","content":"needle two"}]] [[tool Bash {"command":"ln -s secret link"}]] [[text Made.]]',
    );
    await addRule({ tool: 'Read', pattern: 'secret/**', effect: 'deny' });
    const calls: [tool: string, input: object][] = [
      ['Read', { file_path: '/workspace/secret/a.txt' }],
      ['Read', { file_path: '/workspace/link/a.txt' }],
      ['Grep', { pattern: 'needle', path: ' secret ', output_mode: 'content' }],
      ['Grep', { pattern: 'needle', path: 'link', output_mode: 'content' }],
      ['Bash', { command: 'sudo sh -c "cat secret/a.txt"' }],
      ['Bash', { command: 'cd src && cat ../secret/a.txt' }],
      ['Bash', { command: 'cd src' }],
      ['Grep', { pattern: 'needle', path: '../secret', output_mode: 'content' }],
      ['Grep', { pattern: 'needle', path: '/workspace', output_mode: 'content' }],
      ['Grep', { pattern: 'needle', path: '/workspace', glob: 'secret/**', output_mode: 'content' }],
    ];
    const turn = await watched.run(
      `${calls.map(([tool, input]) => `[[tool ${tool} ${JSON.stringify(input)}]]`).join(' ')} [[text Tried.]]`,
    );
    expect(turn).toMatchObject({ status: 'completed', text: 'Tried.' });
    expect(turn.permissionDenials).toHaveLength(7);
    const shown = JSON.stringify(watched.payloads(turn, 'tool:result'));
    expect(shown).toContain('needle two');
    expect(shown).not.toContain('needle one');
    await done(watched);
  });

  it('holds for what a person changes a call into', async () => {
    await addRule({ tool: 'Bash', pattern: 'touch *', effect: 'deny' });
    const watched = await open();
    const turn = await watched.send('[[tool Bash {"command":"mkdir x"}]] [[text Tried.]]');
    const { permissionId } = await request(watched, turn);
    await person.call('POST', `/v1/sessions/${watched.id}/permissions/${permissionId}`, {
      decision: 'allow_once',
      input: { command: 'touch x' },
    });
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', permissionDenials: [{ tool: 'Bash' }] });
    expect(await files(watched)).not.toContain('"x"');
    expect(watched.payloads(turn, 'turn:notice')).toMatchObject([
      { code: 'PERMISSION_DENIED', text: expect.stringContaining('Bash(touch *)') as string },
    ]);
    await done(watched);
  });

  it('is made of what a session allowed, and then holds in the next session', async () => {
    const first = await open();
    const turn = await first.send(`${touch('one.txt')} [[text One.]]`);
    await answer(first, (await request(first, turn)).permissionId, 'allow_pattern');
    await first.end(turn);
    const { body } = await person.call<{ data: SessionRule[] }>('GET', `/v1/sessions/${first.id}/rules`);
    expect(await person.call('POST', `/v1/sessions/${first.id}/rules/${body.data[0]?.id}/promote`)).toMatchObject({
      status: 200,
      body: { tool: 'Bash', pattern: 'touch one.txt', effect: 'allow' },
    });
    for (const watched of [await open(), first]) {
      const next = await watched.run(`${touch('one.txt')} [[text Two.]]`);
      expect(next).toMatchObject({ status: 'completed', text: 'Two.', permissionDenials: [] });
      expect(watched.kinds(next)).not.toContain('permission:request');
      expect(await files(watched)).toContain('one.txt');
      await done(watched);
    }
  });

  it('strict: asks even about ls, whatever the session says', async () => {
    await set({ strict: true });
    const watched = await open({ options: { strict: false } });
    const turn = await watched.send('[[tool Bash {"command":"ls"}]] [[text Looked.]]');
    expect(turn.options.strict).toEqual({ value: true, from: 'project' });
    const asked = await request(watched, turn);
    expect(asked.input.command).toBe('ls');
    await answer(watched, asked.permissionId, 'allow_once');
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Looked.' });
    await done(watched);
  });

  it('auto-approve: no one is asked until it is switched off; a rule that denies still does', async () => {
    await set({ autoApprove: true });
    await addRule({ tool: 'Bash', pattern: 'rmdir *', effect: 'deny' });
    for (const watched of [await open(), await open({ mode: 'pipeline' })]) {
      const turn = await watched.run(`${touch('made.txt')} [[tool Bash {"command":"rmdir none"}]] [[text Continued.]]`);
      expect(turn).toMatchObject({
        status: 'completed',
        text: 'Continued.',
        permissionDenials: [{ input: { command: 'rmdir none' } }],
      });
      expect(watched.kinds(turn)).not.toContain('permission:request');
      expect(await files(watched)).toContain('made.txt');
      await done(watched);
    }
    await set({ autoApprove: false });
    const watched = await open();
    const turn = await watched.send(`${touch('asked.txt')} [[text Asked.]]`);
    await answer(watched, (await request(watched, turn)).permissionId, 'deny');
    expect(await watched.end(turn)).toMatchObject({ status: 'completed' });
    expect(await files(watched)).not.toContain('asked.txt');
    await done(watched);
  });
});
