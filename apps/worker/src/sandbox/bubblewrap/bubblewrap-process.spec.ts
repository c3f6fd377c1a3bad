import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { BubblewrapProcess } from './bubblewrap-process';

type Child = ChildProcess & { pid: number; stdin: Writable; stdout: Readable; stderr: Readable };

function ended(): { child: Child; status: PassThrough; process: BubblewrapProcess } {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const child = Object.assign(new EventEmitter(), { pid: 4_000_000, ...streams }) as unknown as Child;
  const status = new PassThrough();
  return { child, status, process: new BubblewrapProcess(child, status) };
}

/** As a machine does that gives this process no time. */
function pauseThisProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('the end of a sandbox', () => {
  it('is that of its command, also where this process was paused before it read the status', async () => {
    const { child, status, process } = ended();
    setImmediate(() => {
      child.emit('exit', 0, null);
      pauseThisProcess(150);
      // Read in the next turn of the loop, whose timers come first.
      setImmediate(() => status.end('{ "exit-code": 0 }\n'));
    });
    expect(await process.exited).toEqual({ code: 0, signal: null });
  });

  it('is a failure to start where the status ends without one', async () => {
    const { child, status, process } = ended();
    status.end();
    child.emit('exit', 1, null);
    expect(await process.exited).toMatchObject({ code: 1, startFailure: expect.stringContaining('code 1') as string });
  });
});
