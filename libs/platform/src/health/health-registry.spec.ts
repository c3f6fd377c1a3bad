import { HealthRegistry, type HealthCheck } from './health-registry';

function registryOf(...checks: HealthCheck[]): HealthRegistry {
  const registry = new HealthRegistry();
  checks.forEach((check) => registry.register(check));
  return registry;
}
const ok = () => ({ status: 'ok' as const });
const broken = () => {
  throw new Error('connection refused');
};

describe('HealthRegistry', () => {
  it('is ok with nothing broken', async () => {
    await expect(registryOf({ name: 'postgres', critical: true, check: ok }).readiness()).resolves.toEqual({
      status: 'ok',
      checks: { postgres: { status: 'ok' } },
    });
  });

  it('is unavailable when something critical is, and says what', async () => {
    const registry = registryOf(
      { name: 'postgres', critical: true, check: broken },
      { name: 'redis', critical: false, check: ok },
    );
    await expect(registry.readiness()).resolves.toEqual({
      status: 'unavailable',
      checks: { postgres: { status: 'unavailable', detail: 'connection refused' }, redis: { status: 'ok' } },
    });
  });

  it('is only degraded when the rest can continue', async () => {
    const limping: HealthCheck = {
      name: 'worker',
      critical: true,
      check: () => ({ status: 'degraded', detail: 'draining' }),
    };
    await expect(registryOf({ name: 'redis', critical: false, check: broken }).readiness()).resolves.toMatchObject({
      status: 'degraded',
    });
    await expect(registryOf(limping).readiness()).resolves.toEqual({
      status: 'degraded',
      checks: { worker: { status: 'degraded', detail: 'draining' } },
    });
  });

  it('does not wait for a check that never answers', async () => {
    const registry = registryOf({
      name: 'redis',
      critical: true,
      timeoutMs: 5,
      check: () => new Promise(() => undefined),
    });
    await expect(registry.readiness()).resolves.toEqual({
      status: 'unavailable',
      checks: { redis: { status: 'unavailable', detail: 'no answer within 5 ms' } },
    });
  });

  it('shares one round among callers of the same half second', async () => {
    let now = 0;
    const check = jest.fn(ok);
    const registry = new HealthRegistry(() => now);
    registry.register({ name: 'postgres', critical: true, check });
    await Promise.all([registry.readiness(), registry.readiness()]);
    now = 499;
    await registry.readiness();
    expect(check).toHaveBeenCalledTimes(1);
    now = 500;
    await registry.readiness();
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('refuses two checks of one name', () => {
    expect(() =>
      registryOf({ name: 'redis', critical: true, check: ok }, { name: 'redis', critical: true, check: ok }),
    ).toThrow(/registered twice/);
  });
});
