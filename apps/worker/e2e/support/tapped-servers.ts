import { join } from 'node:path';
import { WireTap, type Stack } from '@chirality/testing';

/** A way to the stack's Redis that can be cut at an exact word; `url` is for the process that is to be listened to. */
export async function tapRedis(stack: Stack, name: string): Promise<{ tap: WireTap; url: string }> {
  const path = join(stack.diskOf(name), 'redis.sock');
  const tap = await WireTap.open({ path, to: stack.redis.url.replace(/^unix:/, '') });
  return { tap, url: `unix:${path}` };
}

/** The same for Postgres. */
export async function tapPostgres(stack: Stack, name: string): Promise<{ tap: WireTap; url: string }> {
  const url = new URL(stack.postgres.url);
  const socket = '.s.PGSQL.5432';
  const to = join(url.searchParams.get('host') ?? '', socket);
  const directory = stack.diskOf(name);
  url.searchParams.set('host', directory);
  return { tap: await WireTap.open({ path: join(directory, socket), to }), url: url.toString() };
}
