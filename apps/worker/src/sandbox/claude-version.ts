import { mkdir } from 'node:fs/promises';
import { INSIDE } from './inside-paths';
import type { SandboxRunRequest, SandboxRunResult } from './sandbox.types';

/**
 * Asks the program inside a separate sandbox, with that directory, which is kept. Null when it does not answer with a
 * version. Never rejects.
 */
export async function readClaudeVersion(
  workspace: string,
  run: (request: SandboxRunRequest) => Promise<SandboxRunResult>,
): Promise<string | null> {
  try {
    await mkdir(workspace, { recursive: true, mode: 0o700 });
    const { code, stdout } = await run({
      profile: 'workspace',
      paths: { workspace },
      command: [INSIDE.claude, '--version'],
      maxOutputBytes: 4_096,
      timeoutMs: 10_000,
    });
    return code === 0 ? (/\d+\.\d+\.\d+[\w.+-]*/.exec(stdout.toString('utf8'))?.[0] ?? null) : null;
  } catch {
    return null;
  }
}
