import type { Page, Permission, Turn } from '@chirality/contracts';
import { waitFor, type TestClient } from '@chirality/testing';
import { AttendedSession } from './support/attended-session';
import { limits, startFaultStack, type FaultStack } from './support/fault-stack';
import { expectSoundLog } from './support/session-laws';

jest.setTimeout(120_000);

const touch = (file: string) => `[[tool Bash {"command":"touch ${file}"}]]`;

describe('waiting for an answer', () => {
  let product: FaultStack;
  let person: TestClient;

  beforeAll(async () => {
    product = await startFaultStack();
    person = product.person;
  });
  afterEach(() => AttendedSession.closeAll());
  afterAll(() => product?.stop());

  const files = async (sessionId: string) =>
    JSON.stringify((await person.call('GET', `/v1/sessions/${sessionId}/files?path=`)).body);
  const pending = async (sessionId: string) =>
    (await person.call<Page<Permission>>('GET', `/v1/sessions/${sessionId}/permissions?status=pending`)).body.data;
  const answer = (sessionId: string, permissionId: string) =>
    person.call('POST', `/v1/sessions/${sessionId}/permissions/${permissionId}`, { decision: 'allow_once' });

  async function ask(
    file: string,
    options: Record<string, unknown> = {},
  ): Promise<{ session: AttendedSession; turn: Turn; permissionId: string }> {
    const session = await AttendedSession.open(person, product.projectId, { options });
    const turn = await session.send(`${touch(file)} [[text Continued.]]`);
    const request = await session.saw('permission:request', turn);
    return { session, turn, permissionId: (request.payload as { permissionId: string }).permissionId };
  }

  it('outlives every browser and a restart of the api, and the answer is given by a person who returns', async () => {
    const { session, turn, permissionId } = await ask('outlived.txt');
    session.close();
    product.stack.api.kill('SIGKILL');
    await product.stack.api.exited;
    await product.stack.restartApi();
    expect((await person.turn(session.id, turn.id)).status).toBe('awaiting_permission');
    expect(await pending(session.id)).toMatchObject([
      { id: permissionId, tool: 'Bash', input: { command: 'touch outlived.txt' } },
    ]);
    expect((await answer(session.id, permissionId)).status).toBe(200);
    expect(await session.end(turn)).toMatchObject({ status: 'completed', text: 'Continued.' });
    expect(await files(session.id)).toContain('outlived.txt');
    expectSoundLog(await person.events(session.id));
  });

  it('may take longer than the turn may run', async () => {
    const { session, turn, permissionId } = await ask('patient.txt', { timeoutMs: 2_500 });
    const askedAt = performance.now();
    await waitFor(() => performance.now() - askedAt > 4_000, {
      what: 'more than the turn’s whole time passes',
      timeoutMs: 10_000,
    });
    expect((await person.turn(session.id, turn.id)).status).toBe('awaiting_permission');
    await answer(session.id, permissionId);
    expect(await session.end(turn)).toMatchObject({ status: 'completed', text: 'Continued.' });
    await session.expectLawful();
  });

  it('does not count running time as waiting: a turn that runs too long is timed out', async () => {
    const session = await AttendedSession.open(person, product.projectId, { options: { timeoutMs: 1_000 } });
    const turn = await session.run('[[slow words=400 delay=50]]');
    expect(turn).toMatchObject({ status: 'timed_out', error: { code: 'TURN_TIMEOUT' } });
    await session.expectLawful();
  });

  it('ends honestly when the worker dies: nothing ran, and an answer comes too late', async () => {
    const { session, turn, permissionId } = await ask('dead.txt');
    const [worker] = product.stack.workers;
    worker?.kill('SIGKILL');
    await worker?.exited;
    await product.stack.startWorker(limits({ waitMs: 2_500 }));
    expect(await session.end(turn, 65_000)).toMatchObject({ status: 'lost', error: { code: 'WORKER_LOST' } });
    await session.saw('turn:end', turn);
    expect(session.payloads(turn, 'permission:resolve')).toMatchObject([{ permissionId, outcome: 'run_ended' }]);
    expect(await answer(session.id, permissionId)).toMatchObject({
      status: 409,
      body: { code: 'PERMISSION_RESOLVED', outcome: 'run_ended' },
    });
    const { body } = await person.call<Page<unknown>>('GET', `/v1/sessions/${session.id}/tools/open`);
    expect(body.data).toEqual([]);
    expect(await session.run('[[text Still here.]]', 60_000)).toMatchObject({ status: 'completed' });
    expect(await files(session.id)).not.toContain('dead.txt');
    await session.expectLawful();
  });

  it('has an end too: after the longest time the turn is over and says why, and the session continues', async () => {
    const { session, turn } = await ask('expired.txt');
    expect(await session.end(turn)).toMatchObject({ status: 'timed_out', error: { code: 'PERMISSION_EXPIRED' } });
    expect(await session.run('[[text Next.]]')).toMatchObject({ status: 'completed', text: 'Next.' });
    expect(await files(session.id)).not.toContain('expired.txt');
    await session.expectLawful();
  });

  it('steps that a turn may take are counted by the program, and the turn says that they are used up', async () => {
    const session = await AttendedSession.open(person, product.projectId, { options: { maxTurns: 1 } });
    const turn = await session.run('[[tool Read {"file_path":"/workspace/none"}]] [[text Never said.]]');
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'MAX_TURNS' } });
    await session.expectLawful();
  });
});
