import type { AuditEntry, OpenToolCall, Page, Turn } from '@chirality/contracts';
import { waitFor, type ManagedProcess, type TestClient } from '@chirality/testing';
import { AttendedSession } from './support/attended-session';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { addPerson } from './support/people';
import { running } from './support/process-scan';

jest.setTimeout(180_000);

describe('a tool with an unknown outcome', () => {
  let product: FaultStack;
  let person: TestClient;
  let nextSeconds = 71_000;

  beforeAll(async () => {
    product = await startFaultStack({ workers: 0, env: { CHIRALITY_WORKER_SLOTS: '2' } });
    person = product.person;
  });
  afterAll(async () => {
    AttendedSession.closeAll();
    await product?.stop();
  });

  const startWorker = (disk: string): Promise<ManagedProcess> =>
    product.stack.startWorker({
      CHIRALITY_DATA_DIR: product.stack.diskOf(disk),
      CHIRALITY_RUN_DIR: product.stack.diskOf(`r${disk}`),
    });

  /** A session whose worker was killed while a command of its turn ran, and a new worker on the same disk. */
  async function crashed(disk: string): Promise<{ session: AttendedSession; turn: Turn; worker: ManagedProcess }> {
    const worker = await startWorker(disk);
    const session = await AttendedSession.open(person, product.projectId, {
      visibility: 'project',
      options: { autoApproveTools: ['Bash'] },
    });
    const seconds = (nextSeconds += 1);
    const turn = await session.send(
      `[[tool Read {"file_path":"/workspace/none"}]] [[tool Bash {"command":"echo deployed >> /workspace/count.txt; sleep ${seconds}","timeout":600000}]] [[text Never said.]]`,
    );
    await waitFor(() => running(`sleep ${seconds}`).length > 0, { what: 'the command runs', timeoutMs: 60_000 });
    expect(await open(session)).toEqual([]);
    worker.kill('SIGKILL');
    await worker.exited;
    const successor = await startWorker(disk);
    expect(await session.end(turn, 30_000)).toMatchObject({ status: 'lost' });
    return { session, turn, worker: successor };
  }

  const open = async ({ id }: AttendedSession) =>
    (await person.call<Page<OpenToolCall>>('GET', `/v1/sessions/${id}/tools/open`)).body.data;
  const say = (session: AttendedSession, call: OpenToolCall, body: object, by = person) =>
    by.call(
      'POST',
      `/v1/sessions/${session.id}/turns/${call.turnId}/tools/${encodeURIComponent(call.toolUseId)}/outcome`,
      body,
    );

  /** The text of the last message that the model was sent, and of every message before. */
  function heard(): { last: string; all: string } {
    const messages = (product.stack.model?.requests().at(-1)?.body as { messages: { role: string }[] }).messages;
    return {
      last: JSON.stringify(messages.filter(({ role }) => role === 'user').at(-1)),
      all: JSON.stringify(messages),
    };
  }

  it.each([
    ['succeeded', 'it succeeded'],
    ['failed', 'it failed'],
    ['abort', 'it was aborted and must not be repeated'],
  ] as const)(
    'is shown after a crash; of "%s" the model hears before the next message, and the tool is not run again',
    async (outcome, verdict) => {
      const { session, turn, worker } = await crashed(outcome);
      const calls = await open(session);
      expect(calls).toMatchObject([
        { turnId: turn.id, name: 'Bash', input: { command: expect.stringContaining('echo deployed') as string } },
      ]);
      const [call] = calls as [OpenToolCall];
      expect((await say(session, call, { outcome, note: `I looked at ${outcome}.` })).status).toBe(200);
      expect((await say(session, call, { outcome: 'failed' })).body).toMatchObject({ code: 'CONFLICT' });
      expect(await open(session)).toEqual([]);
      const next = await session.run('[[text I see.]]', 60_000);
      expect(next).toMatchObject({ status: 'completed', text: 'I see.', message: '[[text I see.]]' });
      expect(heard().last).toContain(
        `Note from the service: the end of your earlier call of Bash (${call.toolUseId}) was not seen. A person says that ${verdict}. I looked at ${outcome}.`,
      );
      const counted = await session.run('[[tool Bash {"command":"cat /workspace/count.txt"}]] [[text Counted.]]');
      expect(JSON.stringify(session.payloads(counted, 'tool:result')).match(/deployed/g)).toHaveLength(1);
      expect(heard().last).not.toContain('Note from the service');
      expect(heard().all.match(/Note from the service: the end/g)).toHaveLength(1);
      const told = session.socket.seen.all.filter(({ kind }) => kind === 'tool:outcome');
      expect(told).toMatchObject([
        {
          turn: null,
          payload: { turnId: turn.id, toolUseId: call.toolUseId, outcome, note: `I looked at ${outcome}.` },
        },
      ]);
      const audit = (await person.call<Page<AuditEntry>>('GET', '/v1/audit')).body.data;
      expect(audit.filter(({ action, object }) => action === 'tool:outcome' && object === turn.id)).toMatchObject([
        { detail: { outcome } },
      ]);
      await session.expectLawful();
      await worker.stop();
    },
  );

  it('does not block the session without a verdict, which anyone with the right may still give later', async () => {
    const { session, worker } = await crashed('later');
    expect(await session.run('[[text Continuing.]]', 60_000)).toMatchObject({
      status: 'completed',
      text: 'Continuing.',
    });
    const [call] = (await open(session)) as [OpenToolCall];
    expect(heard().all).not.toContain('A person says that');
    const colleague = await addPerson(product.stack, 'Clara');
    expect((await say(session, call, { outcome: 'failed' }, colleague)).status).toBe(200);
    expect(await session.run('[[text Now I know.]]')).toMatchObject({ status: 'completed', text: 'Now I know.' });
    expect(heard().last).toContain('A person says that it failed.');
    await session.expectLawful();
    await worker.stop();
  });
});
