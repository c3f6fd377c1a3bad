import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { once } from 'node:events';
import { runGit } from '@chirality/testing';

const POOL_BYTES = 16 * 1024 ** 2;

/** A bare repository with one commit of so many files, whose bytes no compression makes fewer. */
export async function makeLargeRepository(path: string, files: number, bytesEach: number): Promise<void> {
  mkdirSync(path, { recursive: true });
  runGit(path, ['init', '-q', '--bare', '-b', 'main']);
  runGit(path, ['config', 'core.compression', '0']);
  const git = spawn('git', ['-C', path, '-c', 'core.bigFileThreshold=1k', 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const pool = randomBytes(POOL_BYTES);
  const write = async (piece: string | Buffer) => {
    if (!git.stdin.write(piece)) await once(git.stdin, 'drain');
  };
  await write('commit refs/heads/main\ncommitter Ada <ada@example.org> 1700000000 +0000\ndata 5\nLarge\n');
  for (let index = 0; index < files; index += 1) {
    const name = `d${Math.floor(index / 1_000)}/s${Math.floor(index / 50) % 20}/file-${index}.bin`;
    const from = (index * 102_931) % (POOL_BYTES - bytesEach);
    const content = Buffer.concat([Buffer.from(`${index}\n`), pool.subarray(from, from + bytesEach)]);
    await write(`M 100644 inline ${name}\ndata ${content.length}\n`);
    await write(content);
    await write('\n');
  }
  git.stdin.end();
  const [code] = (await once(git, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}
