import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EGRESS_BRIDGE } from './egress-bridge';
import { seccompFilter } from './seccomp-filter';
import { SandboxUnavailableError } from '../sandbox.types';

export interface RunFiles {
  etcDir: string;
  emptyFile: string;
  seccompFile: string;
  egressBridge: string;
}

/** Writes the files that every sandbox of this worker is shown or started with. Safe to repeat. */
export function writeRunFiles(filesDir: string, uid: number, gid: number): RunFiles {
  if (process.arch !== 'x64' && process.arch !== 'arm64')
    throw new SandboxUnavailableError(`There is no system call filter for the architecture ${process.arch}.`);
  const etcDir = join(filesDir, 'etc');
  mkdirSync(etcDir, { recursive: true, mode: 0o700 });
  replaceFile(join(etcDir, 'passwd'), `agent:x:${uid}:${gid}:agent:/home/agent:/bin/bash\n`);
  replaceFile(join(etcDir, 'group'), `agent:x:${gid}:\n`);
  replaceFile(join(etcDir, 'nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files\n');
  replaceFile(join(etcDir, 'hosts'), '127.0.0.1 localhost sandbox\n::1 localhost\n');
  const emptyFile = join(filesDir, 'empty');
  replaceFile(emptyFile, '');
  const seccompFile = join(filesDir, 'seccomp.bpf');
  replaceFile(seccompFile, seccompFilter(process.arch));
  const egressBridge = join(filesDir, 'egress-bridge.pl');
  replaceFile(egressBridge, EGRESS_BRIDGE);
  return { etcDir, emptyFile, seccompFile, egressBridge };
}

/** A path that is an argument of each of these sandboxes. */
export function shownFile(filesDir: string): string {
  return join(filesDir, 'etc', 'nsswitch.conf');
}

/** What is there already needs no room, which a full disk has not. */
function replaceFile(path: string, content: string | Buffer): void {
  if (isThere(path, Buffer.from(content))) return;
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o444 });
  renameSync(temporary, path);
}

function isThere(path: string, content: Buffer): boolean {
  try {
    return readFileSync(path).equals(content);
  } catch {
    return false;
  }
}
