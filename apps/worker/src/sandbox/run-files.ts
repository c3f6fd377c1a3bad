import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EGRESS_BRIDGE } from './egress-bridge';
import { seccompFilter } from './seccomp-filter';
import { SandboxUnavailableError } from './sandbox.types';

export interface RunFiles {
  etcDir: string;
  seccompFile: string;
  egressBridge: string;
}

/** Writes the files that every sandbox of this worker is shown or started with. Safe to repeat and to run beside another worker. */
export function writeRunFiles(runDir: string, uid: number, gid: number): RunFiles {
  if (process.arch !== 'x64' && process.arch !== 'arm64')
    throw new SandboxUnavailableError(`There is no system call filter for the architecture ${process.arch}.`);
  const etcDir = join(runDir, 'etc');
  mkdirSync(etcDir, { recursive: true, mode: 0o700 });
  replaceFile(join(etcDir, 'passwd'), `agent:x:${uid}:${gid}:agent:/home/agent:/bin/bash\n`);
  replaceFile(join(etcDir, 'group'), `agent:x:${gid}:\n`);
  replaceFile(join(etcDir, 'nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files\n');
  replaceFile(join(etcDir, 'hosts'), '127.0.0.1 localhost sandbox\n::1 localhost\n');
  const seccompFile = join(runDir, 'seccomp.bpf');
  replaceFile(seccompFile, seccompFilter(process.arch));
  const egressBridge = join(runDir, 'egress-bridge.pl');
  replaceFile(egressBridge, EGRESS_BRIDGE);
  return { etcDir, seccompFile, egressBridge };
}

function replaceFile(path: string, content: string | Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o444 });
  renameSync(temporary, path);
}
