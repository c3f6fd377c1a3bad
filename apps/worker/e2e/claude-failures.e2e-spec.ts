// Runs alone: it measures how soon a failure is noticed.
import { chmodSync, readFileSync, renameSync } from 'node:fs';
import type { Turn } from '@chirality/contracts';
import { fakeClaude, waitFor, type FakeClaude } from '@chirality/testing';
import { limits, startFaultStack, type FaultStack } from './support/fault-stack';
import { marked, untilGone } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

const SECRET =
  'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-AAAAAAAA';

describe('a claude that fails', () => {
  let product: FaultStack;

  beforeAll(async () => {
    product = await startFaultStack({
      fake: true,
      env: {
        CHIRALITY_PARKED_MS: '0',
        CHIRALITY_WORKER_SLOTS: '2',
        ...limits({ startMs: 6_000, silenceMs: 8_000, parkedStartMs: 2_000 }),
      },
    });
  });
  afterAll(() => product?.stop());

  const open = (more?: Record<string, unknown>) => WatchedSession.open(product.person, product.projectId, more);
  const says = (text: string) => fakeClaude().init().text('m1', text).result();

  /**
   * One turn of a separate session that plays these steps; afterwards nothing is left of it and the session continues.
   */
  async function play(
    steps: FakeClaude,
    also: (watched: WatchedSession, turn: Turn) => Promise<void> | void = () => undefined,
    timeoutMs?: number,
  ): Promise<Turn> {
    const watched = await open();
    const turn = await watched.run(steps.toMessage(), timeoutMs);
    await untilGone(watched.id);
    await also(watched, turn);
    await expectGoesOn(watched);
    return turn;
  }

  async function expectGoesOn(watched: WatchedSession): Promise<void> {
    const next = await watched.run(says('Still here.').toMessage());
    expect(next).toMatchObject({ status: 'completed', text: 'Still here.', degraded: false });
    await watched.expectLawful();
    watched.close();
  }

  const took = (turn: Turn) => Date.parse(turn.endedAt ?? '') - Date.parse(turn.startedAt ?? '');

  it('by saying why on stderr and leaving shows the last of it, masked, at once', async () => {
    const turn = await play(fakeClaude().stderr(`loading\nerror: libssl.so.9 not found (key ${SECRET})\n`).exit(127));
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'HARNESS_FAILURE' }, attempt: 1 });
    expect(turn.error?.detail).toContain('exit code 127');
    expect(turn.error?.detail).toContain('libssl.so.9 not found');
    expect(turn.error?.detail).not.toContain(SECRET.slice(0, 30));
    expect(took(turn)).toBeLessThan(5_000);
  });

  it('by leaving before it reads anything', async () => {
    const watched = await open();
    const script = JSON.stringify({
      start: [
        { do: 'removeFile', path: '.fake-claude.json' },
        { do: 'exit', code: 0 },
      ],
    });
    await watched.run(says('ok').step({ do: 'writeFile', path: '.fake-claude.json', text: script }).toMessage());
    const turn = await watched.run(says('never said').toMessage());
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'HARNESS_FAILURE' }, text: '' });
    await expectGoesOn(watched);
  });

  it('by saying nothing at all is given up after the start limit', async () => {
    const turn = await play(fakeClaude().hang());
    expect(turn).toMatchObject({ status: 'timed_out', error: { code: 'START_TIMEOUT' } });
  });

  it('by falling silent is given up after the silence limit, with its text', async () => {
    const turn = await play(fakeClaude().init().text('m1', 'Then nothing').hang());
    expect(turn).toMatchObject({ status: 'timed_out', error: { code: 'SILENCE_TIMEOUT' }, text: 'Then nothing' });
  });

  it('by printing unreadable bytes fails, and keeps them from the log of the service', async () => {
    const turn = await play(
      fakeClaude()
        .write(`garbage\n{"half":\n[[[\n\u0000\u0001\n"text"\n${'x'.repeat(100_000)}\n`)
        .exit(0),
    );
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'HARNESS_FAILURE' } });
    for (const line of product.stack.workers[0]?.lines ?? []) expect(JSON.stringify(line).length).toBeLessThan(4_000);
    const between = await play(
      fakeClaude().init().write('not json\n{"type":\n').text('m1', 'Fine.').write('}}}}\n').result(),
    );
    expect(between).toMatchObject({ status: 'completed', text: 'Fine.', degraded: false });
  });

  it('by never ending after its result is complete for the viewer at once, and is ended later', async () => {
    const watched = await open();
    const turn = await watched.send(says('Done.').step({ do: 'ignoreStdinEnd' }).hang().toMessage());
    await watched.saw('session:complete', turn);
    const ended = await watched.end(turn);
    expect(ended).toMatchObject({ status: 'completed', text: 'Done.', error: null, degraded: false });
    await untilGone(watched.id);
    await expectGoesOn(watched);
  });

  it('by leaving without a result keeps its text and is not run again', async () => {
    const turn = await play(fakeClaude().init().text('m1', 'All the work').exit(0), (watched, turn) => {
      expect({ attempt: turn.attempt, starts: watched.payloads(turn, 'turn:start').length }).toEqual({
        attempt: 1,
        starts: 1,
      });
    });
    expect(turn).toMatchObject({
      status: 'failed',
      error: { code: 'NO_RESULT' },
      text: 'All the work',
      degraded: true,
    });
  });

  it('by an empty result completes with the text of its blocks', async () => {
    const turn = await play(fakeClaude().init().text('m1', 'The whole answer').result({ result: '' }));
    expect(turn).toMatchObject({ status: 'completed', text: 'The whole answer', degraded: true, error: null });
  });

  it('by a last line without an end of line', async () => {
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'The end',
      session_id: 's',
      num_turns: 1,
      total_cost_usd: 0,
      usage: {},
      modelUsage: {},
      permission_denials: [],
    };
    const turn = await play(fakeClaude().init().text('m1', 'The end').write(JSON.stringify(result)).exit(0));
    expect(turn).toMatchObject({ status: 'completed', text: 'The end' });
  });

  it('by leaving children and a listener behind: all is gone with the turn', async () => {
    const mark = '87654.3';
    const steps = fakeClaude()
      .init()
      .spawn(['sleep', mark], { setsid: true })
      .spawn(['sleep', mark], { setsid: true, holdsOutput: true })
      .step({ do: 'listen', port: 4711 });
    const turn = await play(steps.text('m1', 'Left some').result(), async (watched) => {
      expect(marked(`sleep ${mark}`)).toEqual([]);
      const again = await watched.run(
        fakeClaude().init().step({ do: 'listen', port: 4711 }).text('m2', 'Listening').result().toMessage(),
      );
      expect(again).toMatchObject({ status: 'completed', text: 'Listening' });
    });
    expect(turn).toMatchObject({ status: 'completed', text: 'Left some' });
    // What holds the pipe open does not hold the turn open.
    expect(took(turn)).toBeLessThan(5_000);
  });

  it('by flooding stderr: the worker’s log stays readable and its memory small', async () => {
    const worker = product.stack.workers[0];
    const before = worker?.lines.length ?? 0;
    const turn = await play(
      fakeClaude()
        .init()
        .flood({ stream: 'stderr', bytes: 20_000_000, lineBytes: 200 })
        .flood({ stream: 'stderr', bytes: 20_000_000 })
        .text('m1', 'Loud')
        .result(),
    );
    expect(turn).toMatchObject({ status: 'completed', text: 'Loud' });
    expect((worker?.lines.length ?? 0) - before).toBeLessThan(300);
    expect(residentMiB(worker?.pid ?? 0)).toBeLessThan(500);
  });

  it('by a line of 200 MB that never ends is stopped, with little memory', async () => {
    const worker = product.stack.workers[0];
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, residentMiB(worker?.pid ?? 0))), 50);
    const turn = await play(
      fakeClaude().init().text('m1', 'Before').flood({ bytes: 200_000_000, open: true }).hang(),
      undefined,
      60_000,
    );
    clearInterval(watching);
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'LINE_TOO_LONG' }, text: 'Before', attempt: 1 });
    process.stderr.write(`a line without end: the worker held at most ${most} MiB\n`);
    expect(most).toBeLessThan(500);
  });

  it('by results of tools that are too large for an event: a preview, and the whole behind a link', async () => {
    const big = (id: string, size: number) => ({
      do: 'useTool' as const,
      id,
      name: 'Read',
      input: { file_path: '/workspace/big' },
      content: `$fill:${size}`,
    });
    const steps = fakeClaude()
      .init()
      .step(big('toolu_2mb', 2_000_000), big('toolu_12mb', 12_000_000))
      .text('m1', 'Read both')
      .result();
    const turn = await play(steps, async (watched, of) => {
      const results = watched.of(of).filter(({ kind }) => kind === 'tool:result');
      for (const [index, size] of [2_000_000, 12_000_000].entries()) {
        const payload = results[index]?.payload as { content: string; truncated: { bytes: number; href: string } };
        expect(payload.content.length).toBeLessThan(20_000);
        expect(payload.truncated.bytes).toBeGreaterThanOrEqual(size);
        const whole = await product.person.call<{ content: string }>('GET', payload.truncated.href);
        expect({
          status: whole.status,
          length: whole.body.content.length,
          type: whole.headers.get('content-type'),
        }).toEqual({ status: 200, length: size, type: 'application/json; charset=utf-8' });
      }
      const unknown = await product.person.call<{ code: string }>(
        'GET',
        `/v1/sessions/${watched.id}/turns/${of.id}/tools/${encodeURIComponent('../../x')}/result`,
      );
      expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    });
    expect(turn).toMatchObject({ status: 'completed', text: 'Read both' });
  });

  it('by dying before anything was changed is started once more, and what it said is taken back', async () => {
    const watched = await open();
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
    await expectGoesOn(watched);
  });

  it('by dying twice fails after the second time', async () => {
    const turn = await play(fakeClaude().init().text('m1', 'Half').step({ do: 'die', signal: 'SIGSEGV' }));
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
    const turn = await play(steps, async (watched) => {
      const file = await product.person.call<{ content: string }>(
        'GET',
        `/v1/sessions/${watched.id}/files/content?path=once.txt`,
      );
      expect(file.body.content).toBe('ran\n');
    });
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'PROCESS_CRASHED' }, attempt: 1 });
  });

  it('by dying while a person is asked fails once, with its text kept', async () => {
    const watched = await open();
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
    await expectGoesOn(watched);
  });

  it('by unknown records, NUL and half characters changes nothing of the answer', async () => {
    const text = 'NUL \u0000, half \ud83d, whole 🎉, end';
    const steps = fakeClaude()
      .record({ type: 'system', subtype: 'hook_started' })
      .record({ type: 'totally_new', x: 1 })
      .init()
      .record({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } })
      .init()
      .messageStart('m1')
      .textDelta('m1', text)
      .text('m1', text)
      .useTool({
        id: 'toolu_1',
        name: 'Read',
        input: { file_path: 'a\u0000b', half: '\udc00', 'key\u0000': 1 },
        content: 'bytes \u0000 \ud800',
      })
      .result();
    const turn = await play(steps, (watched, of) => {
      expect(
        watched
          .payloads(of, 'chat:delta')
          .map((payload) => payload['text'])
          .join(''),
      ).toBe(text);
      expect(watched.payloads(of, 'tool:result')).toMatchObject([{ content: 'bytes \u0000 \ud800' }]);
      expect(watched.payloads(of, 'session:init')).toHaveLength(1);
    });
    expect(turn).toMatchObject({ status: 'completed', text });
  });

  it('by ending while people still answer it: no answer harms the worker, a late one is refused', async () => {
    const [rounds, questions] = [10, 20];
    const watched = await open();
    const worker = product.stack.workers[0];
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
          product.person.call('POST', `/v1/sessions/${watched.id}/permissions/${String(permissionId)}`, {
            decision: 'allow_once',
          }),
        ),
      );
      statuses.push(...answers.map(({ status }) => status));
      expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Enough' });
      expect(watched.payloads(turn, 'permission:resolve')).toHaveLength(questions);
    }
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    await expectGoesOn(watched);
    expect(worker?.hasEnded).toBe(false);
  });

  it('leaves nothing unexpected in the worker’s log', () => {
    const unexpected = [
      'worker.unhandled_rejection',
      'worker.uncaught_exception',
      'turn.crashed',
      'turn.settlement_refused',
      'turn.not_settled',
      'turn.event_not_stored',
      'turn.change_not_stored',
      'turn.failed_to_run',
    ];
    expect(product.stack.workers[0]?.lines.filter(({ msg }) => unexpected.includes(String(msg)))).toEqual([]);
  });

  it('by going away while the worker runs: turns fail with a reason, are then refused, and work again when it is back', async () => {
    const watched = await open();
    // The api may believe for a moment longer that turns can run: one that it then takes must not hold the session
    // looked at.
    const probing = await open();
    const sandbox = async () =>
      (await product.person.call<{ data: { sandbox: string }[] }>('GET', '/v1/workers')).body.data[0]?.sandbox;
    renameSync(product.fakePath, `${product.fakePath}.away`);
    const turn = await watched.run(says('never').toMessage());
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'SANDBOX_UNAVAILABLE' } });
    expect(took(turn)).toBeLessThan(5_000);
    await waitFor(async () => (await sandbox()) === 'unavailable', {
      what: 'the worker says that it cannot',
      timeoutMs: 20_000,
      everyMs: 50,
    });
    await waitFor(
      async () =>
        (await product.person.call('POST', `/v1/sessions/${probing.id}/turns`, { message: 'x' })).status === 503,
      { what: 'turns are refused', timeoutMs: 2_000, everyMs: 600 },
    );
    renameSync(`${product.fakePath}.away`, product.fakePath);
    await waitFor(async () => (await sandbox()) === 'bubblewrap', {
      what: 'the worker is fit again',
      timeoutMs: 30_000,
      everyMs: 100,
    });
    await expectGoesOn(watched);
  });

  it('that waits for the next turn and no longer reacts is replaced by another', async () => {
    await product.replaceWorker({ CHIRALITY_PARKED_MS: '60000' });
    const watched = await open();
    await watched.run(
      says('Parked now.')
        .step({ do: 'trap', signals: ['SIGINT', 'SIGTERM'] }, { do: 'busy', ms: 120_000 })
        .toMessage(),
    );
    const turn = await watched.run(says('From another one.').toMessage());
    expect(turn).toMatchObject({ status: 'completed', text: 'From another one.', attempt: 1 });
    expect(watched.payloads(turn, 'turn:start').map(({ process: origin }) => origin)).toEqual(['parked', 'cold']);
    await expectGoesOn(watched);
  });

  it('that left strays and a listener behind while it waits: the next turn finds none of them', async () => {
    const watched = await open();
    const mark = '87654.4';
    const steps = fakeClaude()
      .init()
      .spawn(['sleep', mark], { setsid: true })
      .spawn(['/bin/sh', '-c', `trap '' INT TERM HUP; sleep ${mark} & wait`], { setsid: true });
    expect(await watched.run(steps.text('m1', 'Left some').result().toMessage())).toMatchObject({
      status: 'completed',
    });
    await waitFor(() => marked(`sleep ${mark}`).length === 0, { what: 'the strays are gone', timeoutMs: 3_000 });
    const next = await watched.run(says('Still the same.').toMessage());
    expect(next).toMatchObject({ status: 'completed', text: 'Still the same.' });
    expect(watched.payloads(next, 'turn:start')).toMatchObject([{ process: 'parked' }]);
    await watched.expectLawful();
    watched.close();
  });

  it.each<[string, string, (path: string) => string]>([
    ['is not there', 'it is needed to run claude', (path) => `${path}.missing`],
    ['may not be executed', 'cannot read and execute', (path) => path],
  ])(
    'that %s when the worker starts: turns are refused with the reason, the path stays in the log',
    async (_, reason, pathOf) => {
      chmodSync(product.fakePath, 0o644);
      await product.replaceWorker({ CHIRALITY_CLAUDE_PATH: pathOf(product.fakePath) });
      const watched = await open();
      const answer = await product.person.call<{ code: string; detail: string }>(
        'POST',
        `/v1/sessions/${watched.id}/turns`,
        { message: 'Hello' },
      );
      expect(answer).toMatchObject({ status: 503, body: { code: 'SANDBOX_UNAVAILABLE' } });
      expect(answer.body.detail).toContain(reason);
      expect(JSON.stringify(answer.body)).not.toContain(product.fakePath);
      watched.close();
      chmodSync(product.fakePath, 0o755);
    },
  );
});

function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
