import { randomBytes, randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { migrateDatabase } from '@chirality/database';
import { startScriptedModel, type ScriptedModel } from '@chirality/scripted-model';
import { Client } from 'pg';
import { serverIdentity } from '../guarded-process';
import { startTestPostgres, type TestPostgres } from '../postgres/test-postgres';
import { startTestRedis, type TestRedis } from '../redis/test-redis';
import { makeServerDirectory } from '../short-directory';
import { waitFor } from '../wait-for';
import { ManagedProcess } from './managed-process';
import { SupervisedProcess } from './supervised-process';

const ROOT = resolve(__dirname, '../../../..');

export const OWNER = { email: 'owner@chirality.local', password: 'correct-horse-battery' } as const;

/** Far more than a start takes, for machines that have much else to do. */
const START_LIMIT_MS = 90_000;

/** What the service pays with; it must be seen nowhere but at the model. */
export const MODEL_KEY = 'sk-ant-canary-0123456789abcdef0123456789abcdef';

export type StackOptions = {
  /**
   * `directed`: a model in this process that answers what `[[directives]]` in the message say. `demo`: the built-in
   * one.
   */
  model?: 'directed' | 'demo';
  workers?: number;
  env?: Record<string, string>;
  postgres?: Parameters<typeof startTestPostgres>[0];
};

export interface Stack {
  url: string;
  /** The model that answers by directives, where the stack was started with one. */
  model: ScriptedModel | null;
  directory: string;
  postgres: TestPostgres;
  redis: TestRedis;
  api: ManagedProcess;
  workers: ManagedProcess[];
  /** Starts one more worker; each has its own disk, and the blob store is shared. */
  startWorker(env?: Record<string, string>, under?: readonly string[]): Promise<ManagedProcess>;
  /** A worker that is started again on its own disk whenever it exits, as a supervisor would do. */
  superviseWorker(name: string, env?: Record<string, string>): Promise<SupervisedProcess>;
  /** Ends the api, if it still runs, and starts it again; the variables hold for this start alone. */
  restartApi(env?: Record<string, string>): Promise<void>;
  /** Starts one more api with a separate port and disk, on the same Postgres, Redis and blob store. */
  startAnotherApi(): Promise<{ url: string; process: ManagedProcess }>;
  /** A directory for a worker that is to find its disk again after a restart. */
  diskOf(name: string): string;
  /** Makes the session point to a conversation that exists nowhere. */
  forgetConversation(sessionId: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The product as it runs: built api and worker processes, real Postgres and Redis, the dashboard served by the api.
 * Needs `npm run build`. Everything ends with `stop()`, and the servers even when this process is killed.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const directory = makeServerDirectory('stack');
  const [postgres, redis, port, model] = await Promise.all([
    startTestPostgres(options.postgres),
    startTestRedis(),
    freePort(),
    options.model === 'demo'
      ? null
      : startScriptedModel({ listen: { host: '127.0.0.1', port: 0 }, directives: true, wordDelayMs: 0 }),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const shared = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    CHIRALITY_SECRET_KEY: randomBytes(32).toString('hex'),
    CHIRALITY_OWNER_EMAIL: OWNER.email,
    CHIRALITY_OWNER_PASSWORD: OWNER.password,
    CHIRALITY_BLOB_URL: `file:${join(directory, 'blobs')}`,
    CHIRALITY_LOG_LEVEL: 'debug',
    ...(model ? { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: MODEL_KEY } : {}),
    ...options.env,
  };
  await migrateDatabase(postgres.url);
  const launchApi = async (name: string, apiPort: number, env: Record<string, string> = {}) => {
    const api = new ManagedProcess(name, join(ROOT, 'apps/api/dist/main.js'), {
      ...shared,
      PORT: String(apiPort),
      CHIRALITY_DATA_DIR: ownDirectory(directory, name),
      CHIRALITY_RUN_DIR: ownDirectory(directory, `r${name}`),
      CHIRALITY_WEB_DIR: join(ROOT, 'apps/web/dist'),
      ...env,
    });
    await waitFor(
      async () => {
        if (api.hasEnded) throw new Error(`${name} did not start:\n${api.describe()}`);
        return (await fetch(`http://127.0.0.1:${apiPort}/health/ready`).catch(() => null))?.ok === true;
      },
      { what: `${name} is ready`, timeoutMs: START_LIMIT_MS, everyMs: 30 },
    );
    return api;
  };
  const startApi = (env?: Record<string, string>) => launchApi('api', port, env);
  const moreApis: ManagedProcess[] = [];
  const workers: ManagedProcess[] = [];
  const launchWorker = (name: string, env: Record<string, string>, under?: readonly string[]) => {
    const directories = {
      CHIRALITY_DATA_DIR: ownDirectory(directory, name),
      CHIRALITY_RUN_DIR: ownDirectory(directory, `r${name}`),
    };
    return new ManagedProcess(
      name,
      join(ROOT, 'apps/worker/dist/main.js'),
      { ...shared, ...directories, ...env },
      under,
    );
  };
  const startWorker = async (env: Record<string, string> = {}, under?: readonly string[]) => {
    const worker = launchWorker(`w${workers.length}`, env, under);
    workers.push(worker);
    await worker.said('worker.ready', START_LIMIT_MS);
    return worker;
  };
  const supervised: SupervisedProcess[] = [];
  const superviseWorker = async (name: string, env: Record<string, string> = {}) => {
    const worker = new SupervisedProcess(() => launchWorker(name, env));
    supervised.push(worker);
    await worker.current.said('worker.ready', START_LIMIT_MS);
    return worker;
  };
  const stack: Stack = {
    url,
    model,
    directory,
    postgres,
    redis,
    api: await startApi(),
    workers,
    startWorker,
    superviseWorker,
    startAnotherApi: async () => {
      const itsPort = await freePort();
      const process = await launchApi(`api${moreApis.length + 2}`, itsPort);
      moreApis.push(process);
      return { url: `http://127.0.0.1:${itsPort}`, process };
    },
    diskOf: (name) => ownDirectory(directory, name),
    restartApi: async (env) => {
      await stack.api.stop();
      stack.api = await startApi(env);
    },
    forgetConversation: async (sessionId) => {
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      await client.query('UPDATE session SET claude_session_id = $2 WHERE id = $1', [sessionId, randomUUID()]);
      await client.end();
    },
    stop: async () => {
      await Promise.all([stack.api, ...moreApis, ...workers, ...supervised].map((process) => process.stop()));
      await Promise.all([postgres.stop(), redis.stop(), model?.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
  for (let i = 0; i < (options.workers ?? 1); i += 1) await startWorker();
  return stack;
}

function ownDirectory(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const identity = serverIdentity();
  if (identity) chownSync(path, identity.uid, identity.gid);
  return path;
}

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolvePort(address.port) : reject(new Error('no port')),
      );
    });
  });
}
