import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@chirality/database';
import { startTestPostgres, startTestRedis, waitFor, type TestPostgres, type TestRedis } from '@chirality/testing';
import { ApiClient } from '../test/api-client';
import { EventStreamReader } from '../test/event-stream-reader';
import type { LiveClient } from '../test/live-client';
import { ApiProcess } from './api-process';

jest.setTimeout(120_000);

describe('the api as a process', () => {
  let postgres: TestPostgres;
  let redis: TestRedis;
  let dataDir: string;
  const started: ApiProcess[] = [];

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startTestPostgres(), startTestRedis()]);
  });
  afterAll(async () => {
    await Promise.all([postgres.stop(), redis.stop()]);
  });
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'chi-e2e-'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((process) => process.end('SIGKILL')));
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(env: Record<string, string>): Promise<ApiProcess> {
    const process = await ApiProcess.start({
      REDIS_URL: redis.url,
      CHIRALITY_DATA_DIR: dataDir,
      CHIRALITY_OWNER_PASSWORD: 'a password of the owner',
      ...env,
    });
    started.push(process);
    return process;
  }

  it('refuses a configuration that it cannot use, in one sentence', async () => {
    const api = await start({ DATABASE_URL: postgres.url, HOST: '0.0.0.0' });
    expect(await api.untilExit()).toBe(78);
    expect(api.output.trim()).toMatch(/^HOST 0\.0\.0\.0 can be reached from other machines[^\n]*$/);
  });

  it('leaves the first password to the operator once, and nowhere else', async () => {
    const DATABASE_URL = await postgres.createDatabase();
    await migrateDatabase(DATABASE_URL);
    const file = join(dataDir, 'first-login');
    const api = await start({ DATABASE_URL, CHIRALITY_OWNER_PASSWORD: '', CHIRALITY_FIRST_LOGIN_FILE: file });
    await api.untilReady();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { email, password } = JSON.parse(readFileSync(file, 'utf8')) as { email: string; password: string };
    expect(api.output).not.toContain(password);
    const owner = await new ApiClient(api.url).login({ email, password });
    expect(owner.user.mustChangePassword).toBe(true);
    rmSync(file);
    await api.end();
    const again = await start({ DATABASE_URL, CHIRALITY_FIRST_LOGIN_FILE: file });
    await again.untilReady();
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('waits for a database that is away, and for one that is not migrated, and then serves', async () => {
    const DATABASE_URL = await postgres.createDatabase();
    await postgres.goDown();
    await redis.goDown();
    const api = await start({ DATABASE_URL });
    await waitFor(() => api.output.includes('startup.waiting_for_database'), {
      what: 'it says what it waits for',
      timeoutMs: 30_000,
    });
    expect(await api.readiness()).toBe(503);
    expect((await fetch(`${api.url}/v1/me`)).status).toBe(401);
    await postgres.comeUp();
    await waitFor(() => api.output.includes('startup.waiting_for_migrations'), {
      what: 'it keeps waiting',
      timeoutMs: 15_000,
    });
    expect(await api.readiness()).toBe(503);
    await migrateDatabase(DATABASE_URL);
    await api.untilReady();
    await redis.comeUp();
    await new ApiClient(api.url).login();
    expect(api.output).not.toContain('"level":"fatal"');
  });

  it('ends within ten seconds with 200 connections open, all of them asked to reconnect', async () => {
    const DATABASE_URL = await postgres.createDatabase();
    await migrateDatabase(DATABASE_URL);
    const api = await start({ DATABASE_URL });
    await api.untilReady();
    const owner = await new ApiClient(api.url).login();
    const session = await owner.createSession((await owner.createProject()).id);
    const sockets: LiveClient[] = [];
    for (let n = 0; n < 200; n += 20)
      sockets.push(...(await Promise.all(Array.from({ length: 20 }, () => owner.live()))));
    await Promise.all(sockets.map((socket) => socket.attach(session.id)));
    const streams = Array.from(
      { length: 20 },
      () => new EventStreamReader(`${api.url}/v1/sessions/${session.id}/events`, owner.token),
    );
    await waitFor(() => streams.every(({ status }) => status === 200), { what: 'the streams are open' });
    const { code, ms } = await api.end();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
    await waitFor(
      () => sockets.every(({ disconnected }) => disconnected !== null) && streams.every(({ ended }) => ended),
      { what: 'every connection was released' },
    );
    expect(new Set(sockets.map(({ disconnected }) => disconnected))).toEqual(new Set(['transport close']));
  });

  it('ends cleanly while Redis and Postgres are away', async () => {
    const DATABASE_URL = await postgres.createDatabase();
    await migrateDatabase(DATABASE_URL);
    const api = await start({ DATABASE_URL });
    await api.untilReady();
    await redis.goDown();
    await postgres.goDown();
    const { code, ms } = await api.end();
    expect([code, ms < 10_000]).toEqual([0, true]);
    await Promise.all([postgres.comeUp(), redis.comeUp()]);
  });
});
