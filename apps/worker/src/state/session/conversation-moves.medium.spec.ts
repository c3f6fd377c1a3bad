import { readdir, writeFile } from 'node:fs/promises';
import { NO_NETWORK } from '@chirality/domain';
import { startScriptedModel, type ScriptedModel } from '@chirality/scripted-model';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { newGatewayToken } from '../../gateway/gateway-token';
import { claudeArguments } from '../../harness/claude-code/claude-arguments';
import { claudeEnvironment, INSIDE as CLAUDE_INSIDE } from '../../harness/claude-code/claude-environment';
import { CLAUDE_PROGRAM } from '../../harness/claude-code/claude-program';
import { StateFixture, type FixtureSession, type FixtureWorker } from '../../../test/state-fixture';

jest.setTimeout(120_000);

let fixture: StateFixture;
let model: ScriptedModel;

/** One turn of the real program, resumed from what this worker's disk has. */
async function turn(worker: FixtureWorker, session: FixtureSession, message: string) {
  const { turnId, fence } = await fixture.claim(worker, session);
  const prepared = await worker.disk.prepare({ session: session.record, project: session.project, fence });
  await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
  await fixture.launched(turnId);
  const { workspace, config, objects, lockFile } = prepared;
  await writeFile(fixture.files.path('prompt.md'), 'You are tested.');
  const args = claudeArguments({
    model: 'sonnet',
    permissionMode: 'acceptEdits',
    maxTurns: 10,
    tools: ['Write', 'Read', 'TaskCreate', 'TaskList'],
    disallowedTools: [],
    network: NO_NETWORK,
    promptFile: CLAUDE_INSIDE.promptFile,
    resume: prepared.claudeSessionId,
  });
  const result = await fixture.files.sandbox.run({
    profile: 'agent',
    paths: {
      workspace,
      config,
      objects,
      lockFile,
      modelSocket: model.socketPath ?? '',
      extraReadOnly: [[fixture.files.path('prompt.md'), CLAUDE_INSIDE.promptFile]],
    },
    command: [CLAUDE_PROGRAM, ...args],
    env: claudeEnvironment({ gatewayToken: newGatewayToken(), author: { name: 'Ada', email: 'ada@example.com' } }),
    stdin: `${JSON.stringify({ type: 'user', client_composed: true, message: { role: 'user', content: message } })}\n`,
    maxOutputBytes: 4_000_000,
    timeoutMs: 60_000,
  });
  const records = result.stdout
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const end = records.find(({ type }) => type === 'result');
  if (!end || end['is_error'] !== false)
    throw new Error(
      `the turn failed: ${result.stderr.toString('utf8')} ${result.stdout.toString('utf8').slice(-2_000)}`,
    );
  session.record.claudeSessionId = String(end['session_id']);
  const changes = await worker.disk.summariseChanges(session.record.id);
  await fixture.settle(turnId);
  const stored = await worker.disk.store({
    sessionId: session.record.id,
    fence,
    mutated: true,
    claudeSessionId: session.record.claudeSessionId,
  });
  return { prepared, changes, stored, text: end['result'] };
}

/** What the model was shown in its last request, as text. */
function lastSeen(): string {
  const main = model.requests().filter(({ path }) => path.startsWith('/v1/messages') && !path.includes('count_tokens'));
  return JSON.stringify((main.at(-1)?.body as { messages?: unknown }).messages);
}

describeAsOrdinaryUser('a conversation with the real program', () => {
  beforeAll(async () => {
    fixture = await StateFixture.start();
    model = await startScriptedModel({
      listen: { socketPath: fixture.files.path('m.sock') },
      directives: true,
      wordDelayMs: 0,
    });
  });
  afterAll(async () => {
    await model.close();
    await fixture.close();
  });

  it('continues at another worker with an empty disk, with its files, its task list and all that was said', async () => {
    const [a, b, session] = [await fixture.worker('real-a'), await fixture.worker('real-b'), await fixture.session()];
    const first = await turn(
      a,
      session,
      'My word is heliotrope. [[tool Write {"file_path":"/workspace/made.txt","content":"by turn one\\n"}]] [[tool TaskCreate {"subject":"Remember the word","description":"d"}]] [[text "Noted."]]',
    );
    expect(first).toMatchObject({
      text: 'Noted.',
      stored: { stored: true, stateVersion: 1 },
      changes: { files: [{ path: 'made.txt', status: 'added' }] },
    });
    await fixture.lose(a);
    const id = session.record.claudeSessionId;
    const second = await turn(
      b,
      session,
      'What was it? [[tool Read {"file_path":"/workspace/made.txt"}]] [[tool TaskList {}]] [[text "It was heliotrope."]]',
    );
    expect(second.prepared).toMatchObject({ restored: true, notice: null, claudeSessionId: id });
    expect(second).toMatchObject({
      text: 'It was heliotrope.',
      stored: { stored: true, stateVersion: 2 },
      changes: { files: [] },
    });
    expect(session.record.claudeSessionId).toBe(id);
    const seen = lastSeen();
    for (const text of ['My word is heliotrope.', 'Noted.', 'by turn one', 'Remember the word'])
      expect(seen).toContain(text);
    expect(await readdir(`${second.prepared.config}/projects`)).toEqual(['-workspace']);
  });

  it('continues after its last turn was cut in the middle of a write', async () => {
    const [a, b, session] = [await fixture.worker('torn-a'), await fixture.worker('torn-b'), await fixture.session()];
    await turn(a, session, 'My word is vermilion. [[text "Noted."]]');
    const { turnId, fence } = await fixture.claim(a, session);
    const prepared = await a.disk.prepare({ session: session.record, project: session.project, fence });
    await a.disk.markDirty(session.record.id, { attempt: 1, fence });
    await fixture.launched(turnId);
    await fixture.act(
      prepared,
      `printf '{"type":"user","mess' >> "$C/projects/-workspace/${session.record.claudeSessionId}.jsonl"`,
    );
    await fixture.settle(turnId, 'interrupted');
    await a.disk.store({
      sessionId: session.record.id,
      fence,
      mutated: false,
      claudeSessionId: session.record.claudeSessionId,
    });
    const next = await turn(b, session, 'Which? [[text "Vermilion."]]');
    expect(next).toMatchObject({ text: 'Vermilion.', prepared: { restored: true, stateVersion: 2 } });
    expect(lastSeen()).toContain('My word is vermilion.');
  });
});
