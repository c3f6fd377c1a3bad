import { startTestPostgres, waitFor, type TestPostgres } from '@chirality/testing';
import { DatabasePulse } from './database-pulse';

jest.setTimeout(60_000);

describe('the pulse of a database', () => {
  let postgres: TestPostgres;
  let pulse: DatabasePulse;
  let fellSilent: number;
  beforeAll(async () => (postgres = await startTestPostgres()));
  afterAll(() => postgres.stop());

  beforeEach(() => {
    fellSilent = 0;
    pulse = new DatabasePulse(postgres.url, { beatEveryMs: 50, silentAfterMs: 400 });
    pulse.onSilent(() => (fellSilent += 1));
    pulse.start();
  });
  afterEach(() => pulse.close());

  it('stops while the server hangs, once, and comes back with it', async () => {
    for (const times of [1, 2]) {
      const goOn = postgres.hang();
      await waitFor(() => pulse.isSilent, { what: 'the silence is noticed' });
      goOn();
      await waitFor(() => !pulse.isSilent, { what: 'the answer is noticed' });
      expect(fellSilent).toBe(times);
    }
  });

  it('takes a server that refuses connections for one that answers, because statements fail at once then', async () => {
    const other = new DatabasePulse('postgresql://unknown@127.0.0.1:1/x', { beatEveryMs: 10, silentAfterMs: 10 });
    other.onSilent(() => (fellSilent += 1));
    other.start();
    const goOn = postgres.hang();
    await waitFor(() => pulse.isSilent, { what: 'the other one is silent' });
    goOn();
    expect([other.isSilent, fellSilent]).toEqual([false, 1]);
    other.close();
  });
});
