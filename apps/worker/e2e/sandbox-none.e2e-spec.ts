import { startFaultStack, type FaultStack } from './support/fault-stack';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

describe('a worker without a sandbox', () => {
  let product: FaultStack;

  beforeAll(async () => {
    product = await startFaultStack({ env: { CHIRALITY_SANDBOX: 'none' } });
  });
  afterAll(() => product?.stop());

  it('runs turns, and rules about files hold there too', async () => {
    const { person } = product;
    const project = await person.createProject();
    const watched = await WatchedSession.open(person, project.id);
    const first = await watched.run(
      '[[tool Write {"file_path":"secret/a.txt","content":"needle one"}]] [[tool Write {"file_path":"src/b.txt","content":"needle two"}]] [[text Made.]]',
    );
    expect(first).toMatchObject({ status: 'completed', text: 'Made.', permissionDenials: [] });
    expect(watched.kinds(first)).not.toContain('permission:request');
    await person.call('POST', `/v1/projects/${project.id}/rules`, {
      tool: 'Read',
      pattern: 'secret/**',
      effect: 'deny',
    });
    const turn = await watched.run(
      '[[tool Read {"file_path":"secret/a.txt"}]] [[tool Bash {"command":"cat secret/a.txt"}]] [[tool Grep {"pattern":"needle","output_mode":"content"}]] [[text Tried.]]',
    );
    expect(turn.permissionDenials.map(({ tool }) => tool)).toEqual(['Read', 'Bash']);
    const shown = JSON.stringify(watched.payloads(turn, 'tool:result'));
    expect(shown).toContain('needle two');
    expect(shown).not.toContain('needle one');
    await watched.expectLawful();
    watched.close();
  });
});
