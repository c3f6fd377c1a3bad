import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { ProgramFile } from '../agent-program';
import { SandboxUnavailableError } from '../sandbox.types';
import { isExecutable } from './host-programs';

/** The program at that path, with the interpreter that it needs where it is a script. `name`: as people call it. */
export function programFile(path: string, name: string): ProgramFile {
  const hostPath = resolveExisting(path, name);
  if (!isExecutable(hostPath)) throw new SandboxUnavailableError(`This user cannot read and execute ${hostPath}.`);
  return { hostPath, ...(hostPath.endsWith('.mjs') ? { isModule: true } : {}), ...interpreterOf(hostPath, name) };
}

function resolveExisting(path: string, name: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new SandboxUnavailableError(`${path} cannot be reached; it is needed to run ${name}.`);
  }
}

/** What a script's first line asks for, where /usr alone would not provide it. */
function interpreterOf(path: string, name: string): Pick<ProgramFile, 'interpreter' | 'absoluteInterpreter'> {
  const [program, argument] = shebang(path);
  if (!program) return {};
  if (basename(program) !== 'env')
    return program.startsWith('/usr/') || program.startsWith('/bin/')
      ? {}
      : { absoluteInterpreter: resolveExisting(program, name) };
  const onlyOutsideUsr = argument === 'node' && !isExecutable('/usr/bin/node') && !isExecutable('/usr/local/bin/node');
  return onlyOutsideUsr ? { interpreter: { hostPath: realpathSync(process.execPath), name: 'node' } } : {};
}

function shebang(path: string): string[] {
  const head = Buffer.alloc(256);
  const file = openSync(path, 'r');
  try {
    const text = head.toString('utf8', 0, readSync(file, head));
    return text.startsWith('#!') ? (text.slice(2).split('\n', 1)[0] ?? '').trim().split(/\s+/) : [];
  } finally {
    closeSync(file);
  }
}
