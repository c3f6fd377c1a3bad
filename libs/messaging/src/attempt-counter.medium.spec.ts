import { startTestRedis, waitFor, type TestRedis } from '@chirality/testing';
import { createMessaging, type Messaging } from './index';

const LIMIT = { attempts: 5, windowMs: 60_000 };

describe('counting attempts', () => {
  let redis: TestRedis;
  let one: Messaging;
  let other: Messaging;

  beforeAll(async () => {
    redis = await startTestRedis();
    one = createMessaging({ redisUrl: redis.url });
    other = createMessaging({ redisUrl: redis.url });
    await Promise.all([one.whenConnected(), other.whenConnected()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
    await redis.stop();
  });

  it('lets exactly the limit through, also in parallel and over processes', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).attempts.take('login', LIMIT, 'a@b.c')),
    );
    expect(outcomes.filter(({ allowed }) => allowed)).toHaveLength(5);
    const refused = outcomes.find(({ allowed }) => !allowed);
    expect(refused).toMatchObject({ allowed: false, retryAfterMs: expect.any(Number) as number });
    expect(await one.attempts.take('login', LIMIT, 'b@b.c')).toMatchObject({ allowed: true });
    expect(await one.attempts.take('other', LIMIT, 'a@b.c')).toMatchObject({ allowed: true });
  });

  it('does not count what was given back', async () => {
    for (let n = 0; n < 20; n++) {
      const outcome = await one.attempts.take('given', LIMIT, 'a@b.c');
      if (!outcome.allowed) throw new Error(`attempt ${n} was refused`);
      await outcome.giveBack();
    }
  });

  it('keeps counting, per process, while Redis is away', async () => {
    await redis.goDown();
    await waitFor(async () => (await one.health()).status === 'unavailable', { what: 'Redis is seen to be away' });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => one.attempts.take('login', LIMIT, 'c@b.c')));
    expect(outcomes.filter(({ allowed }) => allowed)).toHaveLength(5);
    await redis.comeUp();
    expect(await one.whenConnected()).toBe(true);
    expect(await one.attempts.take('login', LIMIT, 'd@b.c')).toMatchObject({ allowed: true });
  }, 30_000);
});
