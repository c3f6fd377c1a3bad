import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { runGuarded, type GuardedProcess } from '../guarded-process';
import { makeServerDirectory } from '../short-directory';
import { waitFor } from '../wait-for';
import { initialiseCluster } from './initialise-cluster';
import { postgresBinaries } from './postgres-binaries';

export interface TestPostgres {
  /** Connection string of the first, empty database. */
  url: string;
  /** Makes another empty database in the same server and answers its connection string. */
  createDatabase(): Promise<string>;
  /** Ends the server as a crash would (`immediate`) or after rolling back what runs (`fast`); the data stay. */
  goDown(mode?: 'immediate' | 'fast'): Promise<void>;
  comeUp(): Promise<void>;
  /**
   * Stops every process of the server, so that it keeps its connections and answers nothing; the returned function
   * lets them continue.
   */
  hang(): () => void;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/**
 * A dedicated real Postgres, reachable by unix socket only. It ends with this process, even when that is killed.
 * Commits are not flushed to disk unless `durable` is set: tests end servers, never the machine.
 */
export async function startTestPostgres(
  options: { durable?: boolean | undefined; settings?: Record<string, string> } = {},
): Promise<TestPostgres> {
  const directory = makeServerDirectory('pg');
  const data = join(directory, 'data');
  const binaries = postgresBinaries();
  initialiseCluster(data);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: directory,
    max_connections: '60',
    shared_buffers: '32MB',
    dynamic_shared_memory_type: 'mmap',
    fsync: options.durable ? 'on' : 'off',
    full_page_writes: options.durable ? 'on' : 'off',
    ...options.settings,
  };
  const command = [
    join(binaries, 'postgres'),
    '-D',
    data,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
  const urlOf = (database: string) =>
    `postgresql://chirality@localhost/${database}?host=${encodeURIComponent(directory)}`;

  let server: GuardedProcess | null = null;
  const comeUp = async () => {
    const started = runGuarded(command, { signal: 'QUIT', directory });
    server = started;
    await waitFor(
      async () => {
        if (started.hasExited()) throw new Error(`postgres did not start: ${started.output()}`);
        return canConnect(urlOf('postgres'));
      },
      { what: 'postgres accepts connections', timeoutMs: 30_000 },
    );
  };
  const goDown = async (mode: 'immediate' | 'fast' = 'immediate') => {
    if (!server) return;
    process.kill(postmasterPid(data), mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await server.exited();
    server = null;
  };
  const createDatabase = async () => {
    const name = `test_${databases++}`;
    const client = new Client({ connectionString: urlOf('postgres') });
    await client.connect();
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    await client.end();
    return urlOf(name);
  };
  let databases = 1;

  await comeUp();
  return {
    url: await createDatabase(),
    createDatabase,
    goDown,
    comeUp,
    hang: () => {
      const postmaster = postmasterPid(data);
      // It first, and for certain: a backend that it begins meanwhile would answer all the same.
      process.kill(postmaster, 'SIGSTOP');
      waitUntilStopped(postmaster);
      const pids = [postmaster, ...childrenOf(postmaster)];
      for (const pid of pids) signalIfThere(pid, 'SIGSTOP');
      return () => pids.forEach((pid) => signalIfThere(pid, 'SIGCONT'));
    },
    stop: async () => {
      await goDown();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function postmasterPid(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** A process of the server may end between two looks. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A signal takes effect some time after it was sent. Holds up this process: nothing else may happen before. */
function waitUntilStopped(pid: number): void {
  const isStopped = () => /^State:\s*T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!isStopped()) Atomics.wait(pause, 0, 0, 1);
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}
