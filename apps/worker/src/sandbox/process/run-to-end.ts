import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxRunRequest, SandboxRunResult, SandboxedProcess } from '../sandbox.types';

/**
 * Feeds a started command, collects what it writes and waits until its whole tree is gone; kills it after `timeoutMs`.
 */
export async function runToEnd(
  child: SandboxedProcess,
  {
    stdin,
    maxOutputBytes,
    timeoutMs,
    stopped,
  }: Pick<SandboxRunRequest, 'stdin' | 'maxOutputBytes' | 'timeoutMs' | 'stopped'>,
): Promise<SandboxRunResult> {
  const stdout = new BoundedBuffer(child.stdout, maxOutputBytes);
  const stderr = new BoundedBuffer(child.stderr, maxOutputBytes);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.killTree();
  }, timeoutMs);
  const end = () => child.killTree();
  stopped?.addEventListener('abort', end);
  if (stopped?.aborted) end();
  child.stdin.end(stdin ?? '');
  const exit = await child.exited;
  clearTimeout(timer);
  stopped?.removeEventListener('abort', end);
  // With the tree gone no process can write; the bound is for a descriptor that was handed out of it.
  await Promise.race([Promise.all([stdout.ended, stderr.ended]), delay(1_000)]);
  return {
    ...exit,
    stdout: stdout.bytes(),
    stderr: stderr.bytes(),
    truncated: stdout.truncated || stderr.truncated,
    timedOut,
  };
}

class BoundedBuffer {
  truncated = false;
  readonly ended: Promise<void>;
  private readonly chunks: Buffer[] = [];
  private kept = 0;

  constructor(stream: Readable, limitBytes: number) {
    stream.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, limitBytes - this.kept);
      this.truncated ||= part.length < chunk.length;
      this.kept += part.length;
      if (part.length > 0) this.chunks.push(part);
    });
    this.ended = finished(stream).catch(() => undefined);
  }

  bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}
