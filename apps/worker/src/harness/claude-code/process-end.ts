import type { SandboxedProcess, SandboxExit } from '../../sandbox/sandbox.types';

/** How long the pipes may outlive the process: a descriptor inherited by a stray must not hold the turn open. */
const PIPE_GRACE_MS = 500;

/**
 * Resolves when the process is gone and its pipes are read. A paused pipe is being held back by us and still has what
 * the process wrote: that is waited for, `untilReadable` by `untilReadable`, until one answers that it is in vain.
 */
export async function readToItsEnd(
  { stdout, stderr, exited }: Pick<SandboxedProcess, 'stdout' | 'stderr' | 'exited'>,
  untilReadable: () => Promise<boolean>,
): Promise<SandboxExit> {
  const drained = Promise.all([ended(stdout), ended(stderr)]).then(() => true);
  let isRead = false;
  void ended(stdout).then(() => (isRead = true));
  const exit = await exited;
  // One whose last chunk made us pause is read to its end, and stays paused.
  let inVain = false;
  while (stdout.isPaused() && !isRead && !inVain) inVain = !(await Promise.race([drained, untilReadable()]));
  await Promise.race([drained, delay(PIPE_GRACE_MS)]);
  return exit;
}

function ended(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
