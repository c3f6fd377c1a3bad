import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { waitFor } from '@chirality/testing';
import type { SandboxedProcess, SandboxExit } from '../../sandbox/sandbox.types';
import type { HarnessOutput } from '../harness-output';
import { AgentSdkProcess } from './agent-sdk-process';
import { ThreadLink } from './thread/thread-link';

const TALKATIVE = 'talkative-thread.cjs';
const THREADS = join(__dirname, '../../../test/threads');

function setUp(file: string, workerData?: { messages: number; characters: number }) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let ends: (exit: SandboxExit) => void = () => undefined;
  let kills = 0;
  const sandboxed = {
    pid: 1,
    startedAt: 0,
    stdin,
    stdout,
    stderr,
    exited: new Promise<SandboxExit>((resolve) => (ends = resolve)),
    killTree: () => {
      kills += 1;
      stdout.end();
      stderr.end();
      ends({ code: null, signal: 'SIGKILL' });
    },
  } as unknown as SandboxedProcess;
  const process = new AgentSdkProcess(sandboxed, {
    asked: {},
    requestedSessionId: null,
    backlog: { isFull: () => false, whenDrained: async () => undefined },
    started: { command: 'claude', args: [], cwd: '/workspace', env: {} },
    thread: new ThreadLink({ file: join(THREADS, file), worker: { workerData } }),
  });
  const outputs: HarnessOutput[] = [];
  const serve = () =>
    process.serve({
      raw: () => undefined,
      output: (output) => outputs.push(output),
      stderr: () => undefined,
      noise: () => undefined,
      lineTooLong: () => undefined,
      reading: () => undefined,
    });
  return { process, sandboxed, serve, outputs, kills: () => kills };
}

describe('what a thread of the SDK says before there is a turn', () => {
  it('is kept for the turn', async () => {
    const { sandboxed, process, serve, outputs, kills } = setUp(TALKATIVE, { messages: 10, characters: 10_000 });
    // What it says is heard in the order in which it was said, so the last of it is waited for.
    serve();
    await waitFor(() => outputs.length >= 10, { what: 'all of it came' });
    expect(outputs).toEqual(Array.from({ length: 10 }, () => ({ type: 'ignored', what: 'type:unheard_of' })));
    expect(kills()).toBe(0);
    sandboxed.killTree();
    await process.exited;
  });

  it.each([
    ['in a few long messages', { messages: 20, characters: 100_000 }],
    ['in many short ones', { messages: 20_000, characters: 1 }],
  ])('ends the program where it is too much, %s', async (_name, said) => {
    const { process, serve, outputs, kills } = setUp(TALKATIVE, said);
    await process.exited;
    expect(kills()).toBe(1);
    serve();
    expect(outputs).toEqual([]);
    expect(process.outcome({ code: null, signal: 'SIGKILL' }, '')).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'PROCESS_CRASHED',
        detail: expect.stringContaining('said too much before its first turn') as string,
      },
    });
  });
});

it('says what a thread died of that had its program ended first', async () => {
  const { process, kills } = setUp('dying-thread.cjs');
  await process.exited;
  expect(kills()).toBeGreaterThan(0);
  expect(process.outcome({ code: null, signal: 'SIGKILL' }, '')).toMatchObject({
    error: { code: 'PROCESS_CRASHED', detail: expect.stringContaining('failed: on purpose') as string },
  });
});
