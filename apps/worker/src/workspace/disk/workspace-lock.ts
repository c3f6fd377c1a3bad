import { once } from 'node:events';
import { ProblemError } from '@chirality/platform';
import type { Sandbox } from '../../sandbox/sandbox';

/**
 * Runs `work` while the lock is held, as every process of a turn holds it. Throws TURN_IN_PROGRESS, without running
 * `work`, when another process holds it. The kernel's lock has no other way in from here than a process: `anchor` is a
 * directory that this process is shown and does nothing with.
 */
export async function holdingLock<T>(
  sandbox: Pick<Sandbox, 'spawn'>,
  lock: { file: string; anchor: string },
  work: () => Promise<T>,
): Promise<T> {
  const holder = sandbox.spawn({
    profile: 'workspace',
    paths: { workspace: lock.anchor, workspaceReadOnly: true, lockFile: lock.file },
    command: ['/bin/sh', '-c', 'echo held; exec cat > /dev/null'],
  });
  const held = await Promise.race([once(holder.stdout, 'data').then(() => true), holder.exited.then(() => false)]);
  if (!held) {
    const { lockBusy, startFailure } = await holder.exited;
    if (lockBusy)
      throw new ProblemError(
        'TURN_IN_PROGRESS',
        'The workspace is in use by a turn. Wait for it to end, or interrupt it.',
      );
    throw new ProblemError('SANDBOX_UNAVAILABLE', startFailure ?? 'The lock of the workspace could not be taken.');
  }
  try {
    return await work();
  } finally {
    holder.stdin.end();
    await holder.exited;
  }
}
