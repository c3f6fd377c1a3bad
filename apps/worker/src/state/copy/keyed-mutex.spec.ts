import { KeyedMutex } from './keyed-mutex';

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a mutex per key', () => {
  it('runs one work at a time and in order, and others beside it', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`+${name}`);
      await later();
      log.push(`-${name}`);
    };
    await Promise.all([mutex.run('a', work('a1')), mutex.run('a', work('a2')), mutex.run('b', work('b1'))]);
    expect(log.filter((entry) => entry.includes('a'))).toEqual(['+a1', '-a1', '+a2', '-a2']);
    expect(log.indexOf('+b1')).toBeLessThan(log.indexOf('-a1'));
  });

  it('continues after a failure, which reaches its own caller only, and forgets idle keys', async () => {
    const mutex = new KeyedMutex();
    const failing = mutex.run('a', async () => Promise.reject(new Error('no')));
    const next = mutex.run('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
    expect(mutex.isBusy('a')).toBe(false);
  });
});
