import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Stack } from '@chirality/testing';
import { Client } from 'pg';

/** Processes of the machine, other than `except`, whose environment or command line holds the secret. */
export function processesThatShow(secret: string, except: number[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !except.includes(Number(name)))
    .flatMap((pid) =>
      ['environ', 'cmdline']
        .filter((file) => shows(`/proc/${pid}/${file}`, secret))
        .map((file) => `/proc/${pid}/${file}`),
    );
}

/** Where in the database it stands, as `table`. Sealed bytes count when they hold it as it is. */
export async function tablesThatHold(secret: string, stack: Stack): Promise<string[]> {
  const client = new Client({ connectionString: stack.postgres.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const hits = await client.query<{ hits: string }>(
        `SELECT count(*) AS hits FROM ${name} AS t WHERE position($1 in t::text) > 0 OR position(encode($1::bytea, 'hex') in t::text) > 0`,
        [secret],
      );
      if (hits.rows[0]?.hits !== '0') found.push(name);
    }
    expect(rows.length).toBeGreaterThan(10);
    return found;
  } finally {
    await client.end();
  }
}

/** Whether Redis holds it, in any key or value. */
export async function redisHolds(secret: string, stack: Stack): Promise<boolean> {
  await stack.redis.command('CONFIG', 'SET', 'rdbcompression', 'no');
  await stack.redis.command('SAVE');
  return readFileSync(`${dirname(stack.redis.url.replace(/^unix:/, ''))}/dump.rdb`).includes(secret);
}

/** Files below the directory that hold it: blobs, logs, raw streams, transcripts, workspaces, everything. */
export function filesThatHold(secret: string, directory: string): string[] {
  try {
    return execFileSync('grep', ['-rlaF', '--', secret, directory], { encoding: 'utf8' }).trim().split('\n');
  } catch (error) {
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

function shows(path: string, secret: string): boolean {
  try {
    return readFileSync(path).includes(secret);
  } catch {
    return false;
  }
}
