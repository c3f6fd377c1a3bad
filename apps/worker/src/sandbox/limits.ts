const MIB = 1024 * 1024;

export interface SandboxLimits {
  openFiles: number;
  /** Counted by the kernel over all processes of the worker's uid, not per sandbox. */
  processesOfUid: number;
  fileBytes: number;
  dataBytesPerProcess: number;
  cpuSecondsPerProcess: number;
  temporaryBytes: number;
  homeBytes: number;
  sharedMemoryBytes: number;
  /** Anonymous and shared memory of the whole sandbox, enforced by the resource watch. */
  memoryBytes: number;
  /** Workspace and configuration together, enforced by the resource watch. */
  diskBytes: number;
  /** When less is free on the disk, the sandbox that grew most is ended. */
  freeDiskBytes: number;
}

export const DEFAULT_LIMITS: SandboxLimits = {
  openFiles: 1024,
  processesOfUid: 2048,
  fileBytes: 2048 * MIB,
  dataBytesPerProcess: 4096 * MIB,
  cpuSecondsPerProcess: 3600,
  temporaryBytes: 256 * MIB,
  homeBytes: 32 * MIB,
  sharedMemoryBytes: 32 * MIB,
  memoryBytes: 3072 * MIB,
  diskBytes: 8192 * MIB,
  freeDiskBytes: 256 * MIB,
};

const OOM_SCORE = 500;

/**
 * Arguments of choom(1): when the host itself runs out of memory, a sandbox goes before the worker and the database.
 * It comes first in the chain, so that nothing in the sandbox is ever without it.
 */
export function oomScoreArgv(): string[] {
  return ['-n', String(OOM_SCORE), '--'];
}

/** Arguments of prlimit(1); no limit on address space, which `claude` reserves in gigabytes without using it. */
export function prlimitArgv(limits: SandboxLimits): string[] {
  return [
    `--nofile=${limits.openFiles}`,
    `--nproc=${limits.processesOfUid}`,
    `--fsize=${limits.fileBytes}`,
    `--data=${limits.dataBytesPerProcess}`,
    '--core=0',
    `--cpu=${limits.cpuSecondsPerProcess}`,
    '--',
  ];
}

export interface LimitsReport {
  /** `prlimit+watch`: the kernel limits each process, and a watch ends a sandbox that as a whole takes too much. */
  enforcedBy: 'prlimit+watch' | 'nothing';
  limits: SandboxLimits | null;
}
