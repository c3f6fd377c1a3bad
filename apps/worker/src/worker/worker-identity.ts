import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isId } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { machineIdentity, processStartTime } from '@chirality/platform';

export class DataDirectoryInUseError extends Error {}

type Holder = { pid: number; startTime: string | null; machine: string };

/**
 * The worker's id, kept in its data directory so that it finds its own sessions again after a restart. Throws
 * DataDirectoryInUseError when another live worker uses the directory: two would share one name.
 */
export function claimWorkerIdentity(dataDir: string): { workerId: string; release(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = join(dataDir, 'worker.lock');
  takeLock(lock);
  return { workerId: keptId(join(dataDir, 'worker-id')), release: () => rmSync(lock, { force: true }) };
}

function takeLock(path: string): void {
  const mine: Holder = { pid: process.pid, startTime: processStartTime(process.pid), machine: machineIdentity() };
  // Written whole under another name first: a link either appears with its content or not at all.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        linkSync(draft, path);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(path);
      if (holder && isAlive(holder))
        throw new DataDirectoryInUseError(
          `${path} is held by process ${holder.pid}: end it, or set CHIRALITY_DATA_DIR to another directory`,
        );
      rmSync(path, { force: true });
    }
    throw new DataDirectoryInUseError(`${path} is contended: start one worker at a time on a data directory`);
  } finally {
    unlinkSync(draft);
  }
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

/** A holder on another machine cannot be looked at: a directory shared between machines is taken for in use. */
function isAlive(holder: Holder): boolean {
  if (holder.machine !== machineIdentity()) return holder.machine.split(':')[0] === machineIdentity().split(':')[0];
  return holder.startTime !== null && processStartTime(holder.pid) === holder.startTime;
}

function keptId(path: string): string {
  try {
    const kept = readFileSync(path, 'utf8').trim();
    if (isId('worker', kept)) return kept;
  } catch {
    // First start on this directory.
  }
  const id = newId('worker');
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, `${id}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
  return id;
}
