import { fakeClaude, waitFor } from '@chirality/testing';
import { expectContinues, FakeClaudeStack, says } from './support/fake-claude-stack';

jest.setTimeout(120_000);

describe('a claude that fails', () => {
  let claude: FakeClaudeStack;
  beforeAll(async () => (claude = await FakeClaudeStack.start()));
  afterAll(() => claude?.stop());

  it('by dying before anything was changed is started once more, and what it said is taken back', async () => {
    const watched = await claude.open();
    const steps = [
      { do: 'init' as const },
      ...fakeClaude().messageStart('m1').textDelta('m1', 'Half').step({ do: 'die', signal: 'SIGSEGV' }).steps,
    ];
    const script = { start: [{ do: 'removeFile', path: '.fake-claude.json' }], turns: [steps] };
    await watched.run(
      says('ok')
        .step({ do: 'writeFile', path: '.fake-claude.json', text: JSON.stringify(script) })
        .toMessage(),
    );
    const turn = await watched.run('Answer twice');
    expect(turn).toMatchObject({ status: 'completed', text: 'Answer twice', attempt: 2, error: null });
    expect(watched.payloads(turn, 'turn:start').map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(watched.payloads(turn, 'chat:withdrawn')).toMatchObject([{ messageId: 'm1', reason: 'retry' }]);
    expect(watched.payloads(turn, 'process:exit').map(({ attempt, final }) => ({ attempt, final }))).toEqual([
      { attempt: 1, final: false },
      { attempt: 2, final: true },
    ]);
    await expectContinues(watched);
  });

  it('by dying twice fails after the second time', async () => {
    const turn = await claude.play(fakeClaude().init().text('m1', 'Half').step({ do: 'die', signal: 'SIGSEGV' }));
    expect(turn).toMatchObject({
      status: 'failed',
      error: { code: 'PROCESS_CRASHED' },
      attempt: 2,
      text: 'Half',
      degraded: true,
    });
  });

  it('by dying after a tool that may have changed something fails, and the tool ran once', async () => {
    const steps = fakeClaude()
      .init()
      .useTool({
        id: 'toolu_w',
        name: 'Write',
        input: { file_path: '/workspace/once.txt', content: 'x' },
        steps: [
          { do: 'spawn', command: ['/bin/sh', '-c', 'echo ran >> once.txt'] },
          { do: 'sleep', ms: 300 },
          { do: 'die', signal: 'SIGSEGV' },
        ],
      });
    const turn = await claude.play(steps, async (watched) => {
      const file = await claude.product.person.call<{ content: string }>(
        'GET',
        `/v1/sessions/${watched.id}/files/content?path=once.txt`,
      );
      expect(file.body.content).toBe('ran\n');
    });
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'PROCESS_CRASHED' }, attempt: 1 });
  });

  it('by dying while a person is asked fails once, with its text kept', async () => {
    const watched = await claude.open();
    const ask = fakeClaude()
      .init()
      .text('m1', 'A question')
      .record({
        type: 'control_request',
        request_id: 'q1',
        request: {
          subtype: 'can_use_tool',
          tool_name: 'AskUserQuestion',
          input: { questions: [] },
          tool_use_id: 'toolu_q',
        },
      });
    const turn = await watched.send(ask.sleep(600).step({ do: 'die', signal: 'SIGKILL' }).toMessage());
    await watched.saw('permission:request', turn);
    const ended = await watched.end(turn);
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: 'PROCESS_CRASHED' },
      text: 'A question',
      attempt: 1,
    });
    expect(watched.kinds(turn)).not.toContain('chat:withdrawn');
    expect(watched.payloads(turn, 'process:exit')).toHaveLength(1);
    expect(watched.payloads(turn, 'permission:resolve')).toMatchObject([{ outcome: 'run_ended' }]);
    await expectContinues(watched);
  });

  it('by ending while people still answer it: no answer harms the worker, a late one is refused', async () => {
    const [rounds, questions] = [10, 20];
    const watched = await claude.open();
    const worker = claude.product.stack.workers[0];
    const statuses: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const steps = fakeClaude().init();
      for (let index = 1; index < questions; index += 1) {
        steps.record({
          type: 'control_request',
          request_id: `q${index}`,
          request: {
            subtype: 'can_use_tool',
            tool_name: 'Bash',
            input: { command: 'make' },
            tool_use_id: `toolu_${index}`,
          },
        });
      }
      // The answer to this one ends the turn while the others are still being answered.
      steps
        .step({ do: 'ask', id: 'toolu_last', name: 'Bash', input: { command: 'make' } })
        .text('m', 'Enough')
        .result()
        .step({ do: 'closeStdin' })
        .exit(0);
      const turn = await watched.send(steps.toMessage());
      await waitFor(() => watched.payloads(turn, 'permission:request').length === questions, {
        what: 'all questions are asked',
        timeoutMs: 20_000,
      });
      const asked = watched.payloads(turn, 'permission:request');
      const order = [...asked.slice(0, round), ...asked.slice(-1), ...asked.slice(round, -1)];
      const answers = await Promise.all(
        order.map(({ permissionId }) =>
          claude.product.person.call('POST', `/v1/sessions/${watched.id}/permissions/${String(permissionId)}`, {
            decision: 'allow_once',
          }),
        ),
      );
      statuses.push(...answers.map(({ status }) => status));
      expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Enough' });
      expect(watched.payloads(turn, 'permission:resolve')).toHaveLength(questions);
    }
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    await expectContinues(watched);
    expect(worker?.hasEnded).toBe(false);
  });

  it('leaves no fault in the worker’s log', () => claude.expectNoFaultLogged());
});
