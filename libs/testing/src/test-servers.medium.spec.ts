import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startTestPostgres, startTestRedis, waitFor } from './index';

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

describe('servers for tests', () => {
  test('postgres keeps committed rows over a crash, and its databases are separate', async () => {
    const postgres = await startTestPostgres();
    try {
      const other = await postgres.createDatabase();
      await ask(postgres.url, 'CREATE TABLE kept AS SELECT 7 AS n');
      await expect(ask(other, 'SELECT n FROM kept')).rejects.toThrow('does not exist');
      await postgres.goDown();
      await expect(ask(postgres.url, 'SELECT 1')).rejects.toThrow();
      await postgres.comeUp();
      expect(await ask(postgres.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    } finally {
      await postgres.stop();
    }
  }, 60_000);

  test('redis forgets everything when it goes down', async () => {
    const redis = await startTestRedis();
    try {
      expect(await redis.command('SET', 'k', 'v')).toBe('+OK\r\n');
      await redis.goDown();
      await redis.comeUp();
      expect(await redis.command('GET', 'k')).toBe('$-1\r\n');
    } finally {
      await redis.stop();
    }
  }, 60_000);

  test('servers and their directories are gone after the tests were killed', async () => {
    const child = spawn(process.execPath, [join(__dirname, '..', 'test', 'hold-postgres.cjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    const directory = line.trim();
    expect(existsSync(directory)).toBe(true);
    child.kill('SIGKILL');
    await waitFor(() => !existsSync(directory), { what: 'the directory is removed', timeoutMs: 15_000 });
  }, 60_000);
});
