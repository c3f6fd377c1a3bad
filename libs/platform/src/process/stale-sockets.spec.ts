import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeStaleSockets } from './stale-sockets';

describe('removing stale sockets', () => {
  let directory: string;
  const servers: Server[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
    rmSync(directory, { recursive: true });
  });

  async function listenOn(name: string): Promise<void> {
    const server = createServer().listen(join(directory, name));
    await once(server, 'listening');
    servers.push(server);
  }

  /** The socket of a process that was killed while it listened. */
  async function leaveStale(name: string): Promise<void> {
    const program = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', program, join(directory, name)]), 'exit');
  }

  it('removes what a killed process left, and frees its path', async () => {
    await leaveStale('m-1');
    expect(readdirSync(directory)).toEqual(['m-1']);
    expect(await removeStaleSockets(directory, /^m-/)).toBe(1);
    await listenOn('m-1');
  });

  it('keeps sockets that answer, other names, and what is no socket', async () => {
    await listenOn('m-live');
    await leaveStale('redis.sock');
    writeFileSync(join(directory, 'm-file'), '');
    expect(await removeStaleSockets(directory, /^m-/)).toBe(0);
    expect(readdirSync(directory).sort()).toEqual(['m-file', 'm-live', 'redis.sock']);
  });

  it('finds nothing in a directory that is not there', async () => {
    expect(await removeStaleSockets(join(directory, 'none'), /./)).toBe(0);
  });
});
