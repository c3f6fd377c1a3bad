import { startTestRedis, type TestRedis } from '@chirality/testing';
import { createMessaging, type Messaging } from './messaging';

describe('the board of figures', () => {
  let redis: TestRedis;
  let messaging: Messaging;
  beforeAll(async () => {
    redis = await startTestRedis();
    messaging = createMessaging({ redisUrl: redis.url });
    await messaging.whenConnected();
  });
  afterAll(async () => {
    await messaging.close();
    await redis.stop();
  });

  it('has the latest figures of each process, for a while', async () => {
    messaging.metrics.publish('worker_a', [{ name: 'x', values: [1] }]);
    messaging.metrics.publish('worker_a', [{ name: 'x', values: [2] }]);
    messaging.metrics.publish('worker_b', [{ name: 'x', values: [3] }]);
    const figures = (await messaging.metrics.collect()) as { values: number[] }[][];
    expect(figures.map(([metric]) => metric?.values[0]).sort()).toEqual([2, 3]);
    expect(await redis.command('TTL', 'chirality:metrics:worker_a')).toMatch(/^:(1\d|20)\r/);
  });
});
