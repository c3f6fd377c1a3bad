import type { Turn } from '@chirality/contracts';
import { RIGHTS_ENDED } from '@chirality/domain';
import { waitFor, type TestClient } from '@chirality/testing';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { addPerson } from './support/people';
import { turnProcesses } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

/** Long enough that only an interrupt ends it in a test. */
const SLOW = '[[slow words=3000 delay=50]] [[text "Never."]]';

describe('taking rights away from a user whose turn runs', () => {
  let product: FaultStack;
  let owner: TestClient;
  let teamId: string;

  beforeAll(async () => {
    product = await startFaultStack();
    owner = product.person;
    teamId = (await owner.call<{ data: { id: string }[] }>('GET', '/v1/teams')).body.data[0]?.id ?? '';
  });
  afterAll(() => product?.stop());

  const idOf = async (who: TestClient) => (await who.call<{ user: { id: string } }>('GET', '/v1/me')).body.user.id;

  it.each([
    [
      'Ada',
      'making them a viewer',
      (userId: string) => owner.call('PATCH', `/v1/teams/${teamId}/members/${userId}`, { role: 'viewer' }),
    ],
    ['Bea', 'removing them', (userId: string) => owner.call('DELETE', `/v1/teams/${teamId}/members/${userId}`)],
    [
      'Cyd',
      'letting others only read the session',
      (_userId: string, sessionId: string) =>
        owner.call('PATCH', `/v1/sessions/${sessionId}`, { visibility: 'project_read' }),
    ],
  ])(
    '%s, by %s, stops it with the reason, keeps what was said, and leaves nothing running',
    async (name, _how, act) => {
      const author = await addPerson(product.stack, name);
      const [watched, beside] = [
        await WatchedSession.open(owner, product.projectId, { visibility: 'project' }),
        await WatchedSession.open(owner, product.projectId),
      ];
      const turn = await author.send(watched.id, SLOW);
      const others = await beside.send('[[slow words=3000 delay=50]]');
      await Promise.all([watched.saw('chat:delta', turn), beside.saw('chat:delta', others)]);
      expect((await act(await idOf(author), watched.id)).status).toBeLessThan(300);
      const ended: Turn = await watched.end(turn, 15_000);
      expect(ended).toMatchObject({ status: 'interrupted', error: RIGHTS_ENDED });
      expect(ended.text).toMatch(/\w+/);
      expect(watched.payloads(turn, 'session:error')).toMatchObject([{ ...RIGHTS_ENDED, retryable: false }]);
      await waitFor(() => turnProcesses(watched.id).length === 0, { what: 'nothing of it runs', timeoutMs: 12_000 });
      expect(
        (await author.call('POST', `/v1/sessions/${watched.id}/turns`, { message: 'More.' })).status,
      ).toBeGreaterThanOrEqual(403);

      // Users with the right continue from there; what others run is not touched.
      expect(await watched.end(await watched.send('[[text "Continuing."]]'))).toMatchObject({
        status: 'completed',
        text: 'Continuing.',
      });
      expect((await owner.call<Turn>('GET', `/v1/sessions/${beside.id}/turns/${others.id}`)).body.status).toBe(
        'running',
      );
      await owner.call('POST', `/v1/sessions/${beside.id}/interrupt`);
      await beside.end(others);
      await watched.expectLawful();
      for (const one of [watched, beside]) one.close();
    },
  );
});
