import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { ClaudeBinary } from './bubblewrap-argv';
import { isExecutable } from './host-programs';
import { SandboxUnavailableError } from './sandbox.types';

/** The program to run as `claude`: the configured path, else the one of the installed platform package. */
export function locateClaude(configured: string | null | undefined): ClaudeBinary {
  const hostPath = resolveExisting(configured || installedClaude());
  if (!isExecutable(hostPath)) throw new SandboxUnavailableError(`This user cannot read and execute ${hostPath}.`);
  return { hostPath, ...(hostPath.endsWith('.mjs') ? { isModule: true } : {}), ...interpreterOf(hostPath) };
}

function installedClaude(): string {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/claude`);
  } catch {
    throw new SandboxUnavailableError(
      `The package ${name} is not installed. Run npm install, or set CHIRALITY_CLAUDE_PATH.`,
    );
  }
}

function resolveExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new SandboxUnavailableError(`${path} cannot be reached; it is needed to run claude.`);
  }
}

/** What a script's first line asks for, where /usr alone would not provide it. */
function interpreterOf(path: string): Pick<ClaudeBinary, 'interpreter' | 'absoluteInterpreter'> {
  const [program, argument] = shebang(path);
  if (!program) return {};
  if (basename(program) !== 'env')
    return program.startsWith('/usr/') || program.startsWith('/bin/')
      ? {}
      : { absoluteInterpreter: resolveExisting(program) };
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
