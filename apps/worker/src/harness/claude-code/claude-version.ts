import { mkdir } from 'node:fs/promises';
import type { Sandbox } from '../../sandbox/sandbox';
import { CLAUDE_PROGRAM } from './claude-program';

type Asked = Pick<Sandbox, 'run' | 'trialDirectory'>;

const asking = new WeakMap<Asked, Promise<string | null>>();

/**
 * Asks the program inside a separate sandbox, whose directory is kept; those who ask at once share the answer. Null
 * when it does not answer with a version. Never rejects.
 */
export function readClaudeVersion(sandbox: Asked): Promise<string | null> {
  const found = asking.get(sandbox) ?? ask(sandbox).finally(() => asking.delete(sandbox));
  asking.set(sandbox, found);
  return found;
}

async function ask(sandbox: Asked): Promise<string | null> {
  try {
    const workspace = sandbox.trialDirectory('version');
    await mkdir(workspace, { recursive: true, mode: 0o700 });
    const { code, stdout } = await sandbox.run({
      profile: 'workspace',
      paths: { workspace },
      command: [CLAUDE_PROGRAM, '--version'],
      maxOutputBytes: 4_096,
      timeoutMs: 10_000,
    });
    return code === 0 ? (/\d+\.\d+\.\d+[\w.+-]*/.exec(stdout.toString('utf8'))?.[0] ?? null) : null;
  } catch {
    return null;
  }
}
