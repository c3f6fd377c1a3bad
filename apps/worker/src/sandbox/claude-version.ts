import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { INSIDE } from './inside-paths';
import type { SandboxRunRequest, SandboxRunResult } from './sandbox.types';

/** Asks the program inside a sandbox of its own. Null when it does not answer with a version. Never rejects. */
export async function readClaudeVersion(runDir: string, run: (request: SandboxRunRequest) => Promise<SandboxRunResult>): Promise<string | null> {
  const workspace = await mkdtemp(join(runDir, 'version-')).catch(() => null);
  if (workspace === null) return null;
  try {
    const { code, stdout } = await run({ profile: 'workspace', paths: { workspace }, command: [INSIDE.claude, '--version'], maxOutputBytes: 4_096, timeoutMs: 10_000 });
    return code === 0 ? (/\d+\.\d+\.\d+[\w.+-]*/.exec(stdout.toString('utf8'))?.[0] ?? null) : null;
  } catch {
    return null;
  } finally {
    await rm(workspace, { recursive: true, force: true }).catch(() => undefined);
  }
}
