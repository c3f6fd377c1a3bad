import type { Project, Team } from '@chirality/contracts';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(180_000);

describe('limits on turns and running time', () => {
  let product: FaultStack;
  beforeAll(async () => {
    product = await startFaultStack();
  });
  afterAll(() => product?.stop());

  it('stop a real turn whose session asks for more, and say who set them', async () => {
    const { person, projectId } = product;
    const watched = await WatchedSession.open(person, projectId, { options: { maxTurns: 50, timeoutMs: 3_600_000 } });
    expect((await person.call<Project>('PATCH', `/v1/projects/${projectId}`, { limits: { maxTurns: 1 } })).status).toBe(
      200,
    );
    const stepping = await watched.run(
      '[[text One step.]]&[[tool Write {"file_path":"/workspace/step.txt","content":"made"}]] [[text Never said.]]',
    );
    expect(stepping).toMatchObject({
      status: 'failed',
      text: 'One step.',
      options: { maxTurns: { value: 1, from: 'project', limit: { value: 1, from: 'project' } } },
      error: {
        code: 'MAX_TURNS',
        detail:
          'The turn reached the limit of 1 model turn set by the project. Send a message to continue, or ask an admin of the team to raise the limit.',
      },
    });

    const [team] = (await person.call<{ data: Team[] }>('GET', '/v1/teams')).body.data;
    // Long enough for a busy machine to begin with, and less than the twenty seconds of the answer.
    expect((await person.call<Team>('PATCH', `/v1/teams/${team?.id}`, { limits: { timeoutMs: 12_000 } })).status).toBe(
      200,
    );
    const slow = await watched.run('[[slow words=400 delay=50]]');
    expect(slow).toMatchObject({
      status: 'timed_out',
      error: {
        code: 'TURN_TIMEOUT',
        detail:
          'The turn reached the time limit of 12 s set by the team. Send a message to continue, or ask an admin of the team to raise the limit.',
      },
    });
    expect(slow.text).toMatch(/^word1 word2 /);
    expect(watched.payloads(slow, 'session:error')).toMatchObject([{ detail: slow.error?.detail }]);
    await watched.expectLawful();
    watched.close();
  });
});
