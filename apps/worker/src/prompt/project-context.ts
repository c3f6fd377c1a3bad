import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of a project that are put before the model as untrusted context, with the most that is read of each. */
const CONTEXT_FILES = [
  { name: 'README.md', limitBytes: 4 * 1024 },
  { name: 'AGENTS.md', limitBytes: 32 * 1024 },
  { name: 'CLAUDE.md', limitBytes: 32 * 1024 },
] as const;

type ContextFile = { name: string; text: string; cut: boolean };

/**
 * Reads the context files at the root of a workspace. The workspace is the agent's: links are not followed, and a
 * pipe or device put in a file's place neither blocks nor is read.
 */
export async function readProjectContext(workspace: string): Promise<ContextFile[]> {
  const files = await Promise.all(
    CONTEXT_FILES.map(async ({ name, limitBytes }) => {
      const file = await readPlainFile(join(workspace, name), limitBytes);
      return file && { name, ...file };
    }),
  );
  return files.filter((file) => file !== null);
}

async function readPlainFile(path: string, limitBytes: number): Promise<{ text: string; cut: boolean } | null> {
  let handle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return null;
    const buffer = Buffer.alloc(Math.min(facts.size, limitBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    // A cut inside a character would show as a replacement mark.
    const text = new TextDecoder('utf8').decode(buffer.subarray(0, bytesRead), { stream: facts.size > limitBytes });
    return { text, cut: facts.size > limitBytes };
  } finally {
    await handle.close();
  }
}
