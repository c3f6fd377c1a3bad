const MIB = 1024 * 1024;

export interface SandboxLimits {
  openFiles: number;
  /** Processes and threads of one sandbox: see `processLimitArgv`. */
  processes: number;
  /**
   * Of all processes of one sandbox together, enforced by the resource watch: the kernel counts them over the worker's
   * uid.
   */
  inotifyInstances: number;
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
  processes: 512,
  inotifyInstances: 32,
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
/** When everything wants the processor, the worker, the api and the database come before sandboxes. */
export const SANDBOX_NICENESS = 2;
/** Since 5.14 the kernel counts RLIMIT_NPROC for each user namespace. */
const COUNTS_BY_NAMESPACE = [5, 14] as const;

/**
 * Arguments of choom(1): when the host itself runs out of memory, a sandbox goes before the worker and the database.
 * It comes first in the chain, so that nothing in the sandbox is ever without it.
 */
export function oomScoreArgv(): string[] {
  return ['-n', String(OOM_SCORE), '--'];
}

/**
 * Arguments of nice(1), counted from the worker's own niceness. In the chain rather than set from outside, since a fast
 * bubblewrap could fork first.
 */
export function nicenessArgv(): string[] {
  return ['-n', String(SANDBOX_NICENESS)];
}

/**
 * Arguments of prlimit(1); no limit on address space, which a JavaScript runtime reserves in gigabytes without using
 * it.
 */
export function prlimitArgv(limits: SandboxLimits): string[] {
  return [
    `--nofile=${limits.openFiles}`,
    `--fsize=${limits.fileBytes}`,
    `--data=${limits.dataBytesPerProcess}`,
    '--core=0',
    `--cpu=${limits.cpuSecondsPerProcess}`,
    '--',
  ];
}

/**
 * Arguments that bound the processes of one sandbox, to be put before the command inside it. Set outside, the limit
 * would count every process of the worker's uid, so one sandbox could use up what all the others need; set inside its
 * user namespace, it counts that sandbox alone. An older kernel counts the uid in either case, so there the resource
 * watch alone bounds a sandbox, and nothing is set.
 */
export function processLimitArgv(
  prlimit: string,
  limits: Pick<SandboxLimits, 'processes'>,
  kernelRelease: string,
): string[] {
  return countsByNamespace(kernelRelease) ? [prlimit, `--nproc=${limits.processes}`, '--'] : [];
}

/** Whether the kernel bounds the processes of each sandbox, as `processLimitArgv` asks it to. */
export function countsByNamespace(kernelRelease: string): boolean {
  const [major = 0, minor = 0] = kernelRelease.split('.').map((part) => Number.parseInt(part, 10));
  const [sinceMajor, sinceMinor] = COUNTS_BY_NAMESPACE;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}

export interface LimitsReport {
  /** `prlimit+watch`: the kernel limits each process, and a watch ends a sandbox that as a whole takes too much. */
  enforcedBy: 'prlimit+watch' | 'nothing';
  limits: SandboxLimits | null;
}
