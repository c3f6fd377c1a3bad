import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineIdentity, processStartTime, type RegisteredProcess } from '@chirality/platform';
import { startTestDatabase, waitFor, type TestDatabase } from '@chirality/testing';
import { startLeaseThread, type LeaseThread, type LeaseThreadOptions } from './index';

const WORKER = { id: 'worker_01JABCDEFGHJKMNPQRSTVWXYZ0', life: 'this one' };
/** On a busy machine a renewal can take seconds. */
const GIVE_UP_MS = 12_000;
const thread = { execArgv: ['-r', join(__dirname, '../../test/register-typescript.cjs')] };

jest.setTimeout(60_000);

describe("the lease's thread, with a real database", () => {
  let database: TestDatabase;
  let lease: LeaseThread;
  const children: ChildProcess[] = [];
  const stopped: number[] = [];

  beforeAll(async () => (database = await startTestDatabase()), 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.pool.query('DELETE FROM worker');
    await database.pool.query(
      "INSERT INTO worker (id, life, machine, pid, slots, sandbox, lease_expires_at) VALUES ($1, $2, 'm', 1, 1, 'bubblewrap', now() + interval '30 s')",
      [WORKER.id, WORKER.life],
    );
  });
  afterEach(async () => {
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT');
    await lease.stop();
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function start(times: LeaseThreadOptions['times']): Promise<{ lost: string[] }> {
    const { lost } = await startOnly(times);
    lease.hold(process.hrtime.bigint());
    return { lost };
  }

  async function startOnly(times: LeaseThreadOptions['times']): Promise<{ lost: string[] }> {
    const lost: string[] = [];
    lease = await startLeaseThread({
      databaseUrl: database.url,
      worker: WORKER,
      times,
      onLost: (reason) => lost.push(reason),
      thread,
    });
    return { lost };
  }

  async function child(): Promise<RegisteredProcess> {
    const started = spawn('sleep', ['600'], { stdio: 'ignore' });
    children.push(started);
    await once(started, 'spawn');
    const pid = started.pid ?? 0;
    return { pid, startTime: processStartTime(pid) ?? '', machine: machineIdentity() };
  }

  async function expiresAt(): Promise<number> {
    const { rows } = await database.pool.query<{ at: Date }>(
      'SELECT lease_expires_at AS at FROM worker WHERE id = $1',
      [WORKER.id],
    );
    return rows[0]?.at.getTime() ?? 0;
  }

  async function pauseDatabase(): Promise<void> {
    const { rows } = await database.pool.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'chirality lease'",
    );
    const postmaster = parentOf(rows[0]?.pid ?? 0);
    for (const pid of [postmaster, ...rows.map((row) => row.pid)]) {
      process.kill(pid, 'SIGSTOP');
      stopped.push(pid);
    }
  }

  it('moves the end of the lease on, by its own connection', async () => {
    await start({ beatMs: 50 });
    const before = await expiresAt();
    await waitFor(async () => (await expiresAt()) > before, { what: 'the lease is renewed', timeoutMs: 30_000 });
    const { rows } = await database.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'chirality lease'",
    );
    expect(rows).toHaveLength(1);
  });

  it('survives a short pause of the database and kills nothing', async () => {
    const { lost } = await start({ beatMs: 50, giveUpMs: 20_000 });
    const process_ = await child();
    lease.watch(process_);
    const before = await expiresAt();
    await waitFor(async () => (await expiresAt()) > before, { what: 'the lease is renewed', timeoutMs: 30_000 });
    await pauseDatabase();
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT');
    const after = await expiresAt();
    await waitFor(async () => (await expiresAt()) > after, { what: 'the lease is renewed again', timeoutMs: 30_000 });
    expect(lost).toEqual([]);
    expect(processStartTime(process_.pid)).toBe(process_.startTime);
  });

  it('kills what it watches, and nothing else, when the database stays away', async () => {
    const { lost } = await start({ beatMs: 50, retryMs: 50, giveUpMs: GIVE_UP_MS });
    const [doomed, released] = [await child(), await child()];
    lease.watch(doomed);
    lease.watch(released);
    lease.unwatch(released.pid);
    const before = await expiresAt();
    await waitFor(async () => (await expiresAt()) > before, { what: 'the lease is renewed', timeoutMs: 30_000 });
    await pauseDatabase();
    await waitFor(() => lost.length > 0, { what: 'the lease is lost', timeoutMs: 3 * GIVE_UP_MS });
    expect(lost).toEqual([expect.stringMatching(/^The lease could not be renewed for \d{5} ms\.$/)]);
    await waitFor(() => processStartTime(doomed.pid) === null, { what: 'the watched process is dead' });
    expect(processStartTime(released.pid)).toBe(released.startTime);
    const late = await child();
    lease.watch(late);
    await waitFor(() => processStartTime(late.pid) === null, { what: 'a process started too late is dead' });
  });

  it('kills them while the main loop stands still', async () => {
    const { lost } = await start({ beatMs: 50, stalledMs: 1_000, giveUpMs: GIVE_UP_MS });
    const process_ = await child();
    lease.watch(process_);
    const before = await expiresAt();
    await waitFor(async () => (await expiresAt()) > before, { what: 'the lease is renewed', timeoutMs: 30_000 });
    const until = performance.now() + 3 * GIVE_UP_MS;
    let died = false;
    while (performance.now() < until && !died)
      died = readFileSync(`/proc/${process_.pid}/stat`, 'latin1').includes(') Z ');
    expect(died).toBe(true);
    expect(lost).toEqual([]);
    await waitFor(() => lost.length > 0, { what: 'the main loop is notified when it turns again' });
  });

  it.each([
    ['marked as stopped', 'UPDATE worker SET stopped_at = now()'],
    ['deleted', 'DELETE FROM worker'],
  ])('gives up at once when the worker is %s', async (_name, statement) => {
    const { lost } = await start({ beatMs: 50 });
    await database.pool.query(statement);
    await waitFor(() => lost.length > 0, { what: 'the lease is lost', timeoutMs: 30_000 });
    expect(lost).toEqual(['The lease ended: this worker counts as dead.']);
  });

  it('counts no time before the worker has registered', async () => {
    const { lost } = await startOnly({ giveUpMs: 1 });
    const connected = async () =>
      (await database.pool.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'chirality liveness'"))
        .rowCount === 1;
    await waitFor(connected, { what: 'the thread is at work' });
    expect(lost).toEqual([]);
    lease.hold(process.hrtime.bigint());
    await waitFor(() => lost.length > 0, { what: 'the lease is lost' });
  });

  it('stops without calling anything lost', async () => {
    const { lost } = await start({ beatMs: 50 });
    await lease.stop();
    expect(lost).toEqual([]);
    await start({ beatMs: 50 });
  });
});

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
