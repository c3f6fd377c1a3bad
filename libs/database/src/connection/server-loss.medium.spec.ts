import { startTestPostgres, waitFor, type TestPostgres } from '@chirality/testing';
import { createDatabase } from './database';
import { classifyDatabaseError } from './database-error';
import { untilAnswered } from './until-answered';

jest.setTimeout(60_000);

describe('a database whose server is away', () => {
  let postgres: TestPostgres;
  beforeAll(async () => (postgres = await startTestPostgres()));
  afterAll(() => postgres.stop());

  const ask = 'SELECT 1 AS one';

  test('fails its callers at once, unless they are patient', async () => {
    const [hasty, patient] = [
      createDatabase({ url: postgres.url }),
      createDatabase({ url: postgres.url, patienceMs: 20_000 }),
    ];
    await Promise.all([hasty.pool.query(ask), patient.pool.query(ask)]);
    await postgres.goDown();
    await waitFor(() => hasty.pool.totalCount + patient.pool.totalCount === 0, { what: 'both have noticed' });
    const waiting = Promise.all([
      patient.pool.query(ask),
      patient.prisma.$queryRaw`SELECT 1 AS one`,
      patient.pool.connect().then((client) => client.release()),
    ]);
    await expect(hasty.pool.query(ask)).rejects.toThrow();
    await postgres.comeUp();
    const [answer, read] = await waiting;
    expect([answer.rows, read]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await Promise.all([hasty.close(), patient.close()]);
  });

  test('ends the patience of those who wait too long', async () => {
    const patient = createDatabase({ url: postgres.url, patienceMs: 300 });
    await postgres.goDown();
    await expect(patient.pool.query(ask)).rejects.toThrow();
    await expect(patient.pool.connect()).rejects.toThrow();
    await postgres.comeUp();
    await patient.close();
  });

  test('loses a statement under way, which its caller may repeat', async () => {
    const database = createDatabase({ url: postgres.url });
    let tries = 0;
    const sleeping = untilAnswered(() => {
      tries += 1;
      return database.pool.query(tries === 1 ? 'SELECT pg_sleep(30)' : ask);
    }, 20_000);
    const busy = async () =>
      (
        await database.eventPool.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'",
        )
      ).rows[0]?.n;
    while ((await busy()) !== 1);
    await postgres.goDown();
    await postgres.comeUp();
    expect((await sleeping).rows).toEqual([{ one: 1 }]);
    await expect(untilAnswered(() => database.pool.query('SELECT nothing'), 20_000)).rejects.toThrow(/does not exist/);
    await database.close();
  });

  test('is away for what goes through the client too, while it ends and while it starts', async () => {
    const database = createDatabase({ url: postgres.url, poolSize: 6 });
    const classes = new Set<string>();
    let isOver = false;
    const asking = Array.from({ length: 6 }, async () => {
      while (!isOver)
        await database.prisma.$queryRaw`SELECT 1 AS one`.catch((error: unknown) => {
          classes.add(classifyDatabaseError(error));
          return new Promise((resolve) => setImmediate(resolve));
        });
    });
    await postgres.goDown('fast');
    await waitFor(() => classes.size > 0, { what: 'the loss is noticed' });
    await postgres.comeUp();
    isOver = true;
    await Promise.all(asking);
    expect([...classes]).toEqual(['unavailable']);
    await database.close();
  });
});
