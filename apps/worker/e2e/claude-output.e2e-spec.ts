// Runs alone: it measures memory and how soon an output is stopped.
import { readFileSync } from 'node:fs';
import { fakeClaude } from '@chirality/testing';
import { FakeClaudeStack } from './support/fake-claude-stack';

jest.setTimeout(120_000);

describe('a claude that fails', () => {
  let claude: FakeClaudeStack;
  beforeAll(async () => (claude = await FakeClaudeStack.start()));
  afterAll(() => claude?.stop());

  it('by printing unreadable bytes fails, and keeps them from the log of the service', async () => {
    const turn = await claude.play(
      fakeClaude()
        .write(`garbage\n{"half":\n[[[\n\u0000\u0001\n"text"\n${'x'.repeat(100_000)}\n`)
        .exit(0),
    );
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'HARNESS_FAILURE' } });
    for (const line of claude.product.stack.workers[0]?.lines ?? [])
      expect(JSON.stringify(line).length).toBeLessThan(4_000);
    const between = await claude.play(
      fakeClaude().init().write('not json\n{"type":\n').text('m1', 'Fine.').write('}}}}\n').result(),
    );
    expect(between).toMatchObject({ status: 'completed', text: 'Fine.', degraded: false });
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
    const turn = await claude.play(fakeClaude().init().text('m1', 'The end').write(JSON.stringify(result)).exit(0));
    expect(turn).toMatchObject({ status: 'completed', text: 'The end' });
  });

  it('by flooding stderr: the worker’s log stays readable and its memory small', async () => {
    const worker = claude.product.stack.workers[0];
    const before = worker?.lines.length ?? 0;
    const turn = await claude.play(
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
    const worker = claude.product.stack.workers[0];
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, residentMiB(worker?.pid ?? 0))), 50);
    const turn = await claude.play(
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
    const turn = await claude.play(steps, async (watched, of) => {
      const results = watched.of(of).filter(({ kind }) => kind === 'tool:result');
      for (const [index, size] of [2_000_000, 12_000_000].entries()) {
        const payload = results[index]?.payload as { content: string; truncated: { bytes: number; href: string } };
        expect(payload.content.length).toBeLessThan(20_000);
        expect(payload.truncated.bytes).toBeGreaterThanOrEqual(size);
        const whole = await claude.product.person.call<{ content: string }>('GET', payload.truncated.href);
        expect({
          status: whole.status,
          length: whole.body.content.length,
          type: whole.headers.get('content-type'),
        }).toEqual({ status: 200, length: size, type: 'application/json; charset=utf-8' });
      }
      const unknown = await claude.product.person.call<{ code: string }>(
        'GET',
        `/v1/sessions/${watched.id}/turns/${of.id}/tools/${encodeURIComponent('../../x')}/result`,
      );
      expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    });
    expect(turn).toMatchObject({ status: 'completed', text: 'Read both' });
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
    const turn = await claude.play(steps, (watched, of) => {
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

  it('leaves no fault in the worker’s log', () => claude.expectNoFaultLogged());
});

function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
