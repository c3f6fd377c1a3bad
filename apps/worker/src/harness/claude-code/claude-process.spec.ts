import { PassThrough } from 'node:stream';
import type { SandboxedProcess, SandboxExit } from '../../sandbox/sandbox.types';
import type { Backlog, TurnSink } from '../harness';
import { ClaudeProcess } from './claude-process';

function setUp(backlog: Backlog = { isFull: () => false, whenDrained: async () => undefined }) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let exit: (exit: SandboxExit) => void = () => undefined;
  const sandboxed = {
    pid: 1,
    startedAt: 0,
    stdin,
    stdout,
    stderr,
    exited: new Promise<SandboxExit>((resolve) => (exit = resolve)),
    killTree: () => undefined,
  } as unknown as SandboxedProcess;
  const process = new ClaudeProcess(sandboxed, { asked: {}, requestedSessionId: null, backlog });
  let bytes = 0;
  process.serve({
    raw: (chunk) => (bytes += chunk.length),
    output: () => undefined,
    stderr: () => undefined,
    noise: () => undefined,
    lineTooLong: () => undefined,
    reading: () => undefined,
  } satisfies TurnSink);
  return { process, stdout, stderr, exit, bytes: () => bytes };
}

describe('a running claude', () => {
  it('is over when its last words filled the backlog and the store takes its time', async () => {
    let stored: () => void = () => undefined;
    const storing = new Promise<void>((resolve) => (stored = resolve));
    const { process, stdout, stderr, exit, bytes } = setUp({ isFull: () => true, whenDrained: () => storing });
    stdout.end(Buffer.alloc(1000, 'x'));
    stderr.end();
    exit({ code: 0, signal: null });
    // Were the wait for the end to spin, this timer would never fire.
    setTimeout(stored, 20);
    await process.exited;
    expect(bytes()).toBe(1000);
  });

  it('is read to its end although it left while it was held back', async () => {
    let full = true;
    let stored: () => void = () => undefined;
    const storing = new Promise<void>((resolve) => (stored = resolve));
    const { process, stdout, stderr, exit, bytes } = setUp({ isFull: () => full, whenDrained: () => storing });
    for (let chunk = 0; chunk < 10; chunk += 1) stdout.write(Buffer.alloc(1000, 'x'));
    stdout.end();
    stderr.end();
    exit({ code: 0, signal: null });
    setTimeout(() => {
      full = false;
      stored();
    }, 20);
    await process.exited;
    expect(bytes()).toBe(10_000);
  });
});
