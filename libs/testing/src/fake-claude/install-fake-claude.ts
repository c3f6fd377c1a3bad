import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FakeClaudeLogEntry, FakeClaudeScript } from './fake-claude-script';

/** The stand-in itself: executable, one file, without a script. */
export const FAKE_CLAUDE_PATH = join(__dirname, 'fake-claude-program.cjs');

const PLACE_OF_SCRIPT = 'const INSTALLED_SCRIPT = null;';

/**
 * Writes a stand-in that carries its script inside, so that it needs to see nothing but itself (without one it looks
 * for a script where it runs), and answers its path for CHIRALITY_CLAUDE_PATH. Readable and executable by every user:
 * the sandbox runs it as another one.
 */
export async function installFakeClaude(
  directory: string,
  script: FakeClaudeScript | null = null,
  name = 'claude',
): Promise<string> {
  const program = await readFile(FAKE_CLAUDE_PATH, 'utf8');
  if (!program.includes(PLACE_OF_SCRIPT)) throw new Error('fake-claude-program.cjs has no place for a script');
  const path = join(directory, name);
  await mkdir(directory, { recursive: true });
  await writeFile(
    path,
    program.replace(PLACE_OF_SCRIPT, () => `const INSTALLED_SCRIPT = ${JSON.stringify(script)};`),
  );
  await chmod(path, 0o755);
  return path;
}

/**
 * What a stand-in wrote down so far; nothing when it did not start yet. A line that is still being written is left out.
 */
export async function readFakeClaudeLog(path: string): Promise<FakeClaudeLogEntry[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FakeClaudeLogEntry);
}
