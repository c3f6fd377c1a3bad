import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineIdentity } from '@chirality/platform';
import { claimWorkerIdentity, DataDirectoryInUseError } from './worker-identity';

describe('the identity of a worker', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'worker-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is kept over restarts', () => {
    const first = claimWorkerIdentity(directory);
    first.release();
    expect(claimWorkerIdentity(directory).workerId).toBe(first.workerId);
  });

  it('is refused while another worker lives on the same directory', () => {
    claimWorkerIdentity(directory);
    expect(() => claimWorkerIdentity(directory)).toThrow(DataDirectoryInUseError);
  });

  it('is taken over from a worker that died', () => {
    const dead = spawnSync('true').pid;
    writeFileSync(
      join(directory, 'worker.lock'),
      JSON.stringify({ pid: dead, startTime: '1', machine: machineIdentity() }),
    );
    expect(claimWorkerIdentity(directory).workerId).toMatch(/^worker_/);
  });

  it('is taken over where a crash left half a lock', () => {
    writeFileSync(join(directory, 'worker.lock'), '{"pid"');
    expect(claimWorkerIdentity(directory).workerId).toMatch(/^worker_/);
  });
});
