import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClaude, FAKE_CLAUDE_PATH, installFakeClaude, readFakeClaudeLog, type FakeClaudeScript } from '.';
import { waitFor } from '../wait-for';

type Record_ = Record<string, unknown>;

/** A running stand-in with what it printed, and its log. */
class Played {
  stdout = Buffer.alloc(0);
  stderr = '';
  readonly exited: Promise<{ code: number | null; signal: string | null }>;

  constructor(
    readonly child: ChildProcessWithoutNullStreams,
    private readonly config: string,
  ) {
    child.stdout.on('data', (chunk: Buffer) => (this.stdout = Buffer.concat([this.stdout, chunk])));
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    child.stdin.on('error', () => undefined);
    this.exited = once(child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as string | null,
    }));
  }

  say(...records: Record_[]): void {
    for (const record of records) this.child.stdin.write(`${JSON.stringify(record)}\n`);
  }

  records(): Record_[] {
    return this.stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record_);
  }

  types(): string[] {
    return this.records().map((record) =>
      [record['type'], record['subtype']].filter((part) => typeof part === 'string').join('/'),
    );
  }

  until(type: string): Promise<void> {
    return waitFor(() => this.types().includes(type), {
      what: `${type} after ${this.types().join(' ')} ${this.stderr}`,
    });
  }

  log() {
    return readFakeClaudeLog(join(this.config, 'fake-claude.log'));
  }
}

const user = (content: string): Record_ => ({ type: 'user', message: { role: 'user', content } });
const interrupt: Record_ = { type: 'control_request', request_id: 'i1', request: { subtype: 'interrupt' } };
const initialize: Record_ = {
  type: 'control_request',
  request_id: 'c1',
  request: { subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['h0'] }] } },
};

describe('the stand-in for claude', () => {
  let directory: string;
  const running: Played[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fake-claude-'));
  });

  afterEach(async () => {
    for (const played of running.splice(0)) {
      played.child.kill('SIGKILL');
      await played.exited;
    }
    await rm(directory, { recursive: true, force: true });
  });

  function start(path: string, args: string[] = [], env: Record<string, string> = {}): Played {
    const child = spawn(path, args, {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '', CLAUDE_CONFIG_DIR: join(directory, 'config'), ...env },
    });
    const played = new Played(child, join(directory, 'config'));
    running.push(played);
    return played;
  }

  async function play(script: FakeClaudeScript, args: string[] = []): Promise<Played> {
    return start(await installFakeClaude(join(directory, 'bin'), script), args);
  }

  it('answers every message with what it says, and ends with its input', async () => {
    const played = start(FAKE_CLAUDE_PATH, ['--resume', 's1', '--model', 'opus']);
    played.say(user('hello $uuid'));
    await played.until('result/success');
    played.child.stdin.end();
    expect(await played.exited).toEqual({ code: 0, signal: null });
    expect(played.types()).toEqual(['system/init', 'assistant', 'result/success']);
    expect(played.records()[0]).toMatchObject({ session_id: 's1', model: 'opus' });
    expect(played.records()[2]).toMatchObject({ result: 'hello $uuid' });
    expect((await played.log()).map(({ what }) => what)).toEqual(['start', 'stdin', 'stdin-end', 'exit']);
  });

  it('knows its version', async () => {
    const played = start(FAKE_CLAUDE_PATH, ['--version']);
    await played.exited;
    expect(played.stdout.toString()).toMatch(/^\d+\.\d+\.\d+ \(Claude Code\)\n$/);
  });

  it('plays one script per message, and the last one again', async () => {
    const played = await play({
      turns: [fakeClaude().init().text('m1', 'one').result().steps, fakeClaude().text('m2', 'two').result().steps],
    });
    for (const count of [1, 2, 3]) {
      played.say(user('x'));
      await waitFor(() => played.types().filter((type) => type === 'result/success').length === count, {
        what: `result ${count}`,
      });
    }
    expect(
      played
        .records()
        .filter(({ type }) => type === 'result')
        .map(({ result, result_index }) => [result, result_index]),
    ).toEqual([
      ['one', 0],
      ['two', 1],
      ['two', 2],
    ]);
  });

  it('takes the script of a turn from its message, or from the environment', async () => {
    const played = start(FAKE_CLAUDE_PATH, [], {
      FAKE_CLAUDE_SCRIPT: JSON.stringify({ turns: [fakeClaude().text('m1', 'from the environment').exit(4).steps] }),
    });
    played.say(user(fakeClaude().text('m1', 'from the message').toMessage()), user('x'));
    expect(await played.exited).toEqual({ code: 4, signal: null });
    expect(played.stdout.toString()).toMatch(/from the message.*\n.*from the environment/);
  });

  it('ends before it reads anything', async () => {
    const played = await play({ start: fakeClaude().stderr('no way\n').exit(127).steps });
    expect(await played.exited).toEqual({ code: 127, signal: null });
    expect(played.stderr).toBe('no way\n');
  });

  it('writes bytes in the requested pieces', async () => {
    const played = await play({
      start: fakeClaude()
        .step({ do: 'write', record: { type: 'x', text: '你好 🎉' }, cuts: 'every-byte' })
        .write('{"type":"half', { cuts: [3] })
        .step({ do: 'closeStdout' }, { do: 'exit', code: 0 }).steps,
    });
    const sizes: number[] = [];
    played.child.stdout.on('data', (chunk: Buffer) => sizes.push(chunk.length));
    await played.exited;
    expect(played.stdout.toString()).toBe('{"type":"x","text":"你好 🎉"}\n{"type":"half');
    expect(sizes.length).toBeGreaterThan(1);
  });

  it('fills in what is large', async () => {
    const played = await play({
      start: fakeClaude()
        .record({ type: 'x', data: '$fill:3000000' })
        .flood({ bytes: 200_000, open: true })
        .flood({ bytes: 5_000, stream: 'stderr', lineBytes: 100 })
        .exit(1).steps,
    });
    expect((await played.exited).code).toBe(1);
    expect(played.stdout.length).toBeGreaterThan(3_200_000);
    expect(played.stderr.split('\n').length).toBe(51);
  });

  it('is interrupted by a control request as the real program is', async () => {
    const played = await play({ turns: [fakeClaude().init().textDelta('m1', 'Half').hang().steps] });
    played.say(user('x'));
    await played.until('stream_event');
    played.say(interrupt);
    await played.until('result/error_during_execution');
    expect(played.types().slice(-2)).toEqual(['control_response', 'result/error_during_execution']);
    expect(played.records().at(-1)).toMatchObject({ is_error: true, terminal_reason: 'aborted_streaming' });
    expect(played.records().at(-1)).not.toHaveProperty('result');
    played.child.stdin.end();
    expect((await played.exited).code).toBe(1);
  });

  it('ignores what the script says to ignore', async () => {
    const played = await play({
      turns: [
        fakeClaude().onInterrupt('ignore').trap(['SIGINT', 'SIGTERM']).step({ do: 'ignoreStdinEnd' }).init().hang()
          .steps,
      ],
    });
    played.say(user('x'));
    await played.until('system/init');
    played.say(interrupt);
    played.child.stdin.end();
    await waitFor(async () => (await played.log()).some(({ what }) => what === 'stdin-end'), {
      what: 'the end of its input',
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) played.child.kill(signal);
    await waitFor(async () => (await played.log()).filter(({ what }) => what === 'signal').length === 2, {
      what: 'two signals in the log',
    });
    expect(played.child.exitCode).toBeNull();
    expect(played.types()).toEqual(['system/init']);
  });

  it('plays steps on a signal', async () => {
    const played = await play({
      turns: [
        fakeClaude()
          .trap(['SIGTERM'], (steps) => steps.result({ result: null, is_error: true }).exit(9))
          .init()
          .hang().steps,
      ],
    });
    played.say(user('x'));
    await played.until('system/init');
    played.child.kill('SIGTERM');
    expect(await played.exited).toEqual({ code: 9, signal: null });
    expect(played.types()).toEqual(['system/init', 'result/success']);
  });

  it('dies by a signal before it began, and gives a result after', async () => {
    const early = await play({ start: fakeClaude().step({ do: 'log', value: 'up' }).hang().steps });
    await waitFor(async () => (await early.log()).some(({ what }) => what === 'note'), { what: 'a note' });
    early.child.kill('SIGINT');
    expect(await early.exited).toEqual({ code: null, signal: 'SIGINT' });
    const late = await play({ turns: [fakeClaude().init().hang().steps] });
    late.say(user('x'));
    await late.until('system/init');
    late.child.kill('SIGINT');
    expect(await late.exited).toEqual({ code: 0, signal: null });
    expect(late.types()).toEqual(['system/init', 'result/error_during_execution']);
  });

  it('asks the host before a tool, and lets it run or not', async () => {
    const turn = fakeClaude().init();
    for (const id of ['t1', 't2', 't3'])
      turn.useTool({ id, name: 'Bash', input: { command: id }, content: 'ran', steps: [{ do: 'log', value: id }] });
    const played = await play({ turns: [turn.result().steps] });
    const decisions = ['allow', 'deny', 'ask'];
    played.say(initialize, user('x'));
    for (const [position, permissionDecision] of decisions.entries()) {
      await waitFor(
        () =>
          played.records().filter((record) => (record['request'] as Record_)?.['subtype'] === 'hook_callback')
            .length ===
          position + 1,
        { what: `question ${position}` },
      );
      const question = played
        .records()
        .filter((record) => record['type'] === 'control_request')
        .at(-1)!;
      const response = {
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'because' },
      };
      played.say({
        type: 'control_response',
        response: { subtype: 'success', request_id: question['request_id'], response },
      });
    }
    await waitFor(
      () => played.records().some((record) => (record['request'] as Record_)?.['subtype'] === 'can_use_tool'),
      { what: 'can_use_tool' },
    );
    const question = played.records().at(-1)!;
    played.say({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: question['request_id'],
        response: { behavior: 'deny', message: 'no' },
      },
    });
    await played.until('result/success');
    const results = played
      .records()
      .filter(({ type }) => type === 'user')
      .map((record) => (record['message'] as { content: Record_[] }).content[0]!);
    expect(results.map(({ content, is_error }) => [content, is_error ?? false])).toEqual([
      ['ran', false],
      ['because', true],
      ['no', true],
    ]);
    expect((await played.log()).filter(({ what }) => what === 'note').map(({ value }) => value)).toEqual(['t1']);
  });

  it('takes its open questions back when it is interrupted', async () => {
    const played = await play({
      turns: [fakeClaude().init().useTool({ id: 't1', name: 'Bash', input: {} }).result().steps],
    });
    played.say(user('x'));
    await played.until('control_request');
    played.say(interrupt);
    await played.until('result/error_during_execution');
    expect(played.types()).toEqual([
      'system/init',
      'assistant',
      'control_request',
      'control_response',
      'control_cancel_request',
      'result/error_during_execution',
    ]);
  });

  it('leaves children behind, in a separate session', async () => {
    const played = await play({ start: fakeClaude().spawn(['sleep', '9999'], { setsid: true }).exit(0).steps });
    await played.exited;
    const child = (await played.log()).find(({ what }) => what === 'spawned')?.['child'] as number;
    expect(process.kill(child, 0)).toBe(true);
    process.kill(child, 'SIGKILL');
  });

  it('logs its arguments, environment and input', async () => {
    const played = start(FAKE_CLAUDE_PATH, ['-p', '--tools', 'Read'], { CANARY: 'visible' });
    played.say(user('x'));
    await played.until('system/init');
    const [first, second] = await played.log();
    expect(first).toMatchObject({
      what: 'start',
      argv: ['-p', '--tools', 'Read'],
      env: { CANARY: 'visible' },
      cwd: directory,
    });
    expect(second).toMatchObject({ what: 'stdin', line: JSON.stringify(user('x')) });
  });

  it('refuses a step that it does not know', async () => {
    const played = await play({ start: [{ do: 'dance' } as never] });
    expect((await played.exited).code).toBe(70);
    expect(played.stderr).toContain('dance');
  });
});
