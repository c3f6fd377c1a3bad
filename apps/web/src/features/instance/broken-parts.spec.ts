import { brokenParts } from './broken-parts';

describe('what is wrong with the service', () => {
  it('is said worst first, by what it means', () => {
    const checks = {
      redis: { status: 'degraded' as const },
      server: { status: 'unavailable' as const, detail: 'it is starting, and the database is not ready yet' },
      workers: { status: 'degraded' as const, detail: 'no worker is running' },
      odd: { status: 'unavailable' as const, detail: 'gone' },
    };
    expect(brokenParts({ status: 'degraded', checks })).toEqual([
      {
        name: 'server',
        isDown: true,
        sentence: 'The server is not ready: it is starting, and the database is not ready yet',
      },
      { name: 'workers', isDown: true, sentence: 'No turn can run now: no worker is running' },
      { name: 'odd', isDown: true, sentence: 'A part of the service (odd) is not well: gone' },
      {
        name: 'redis',
        isDown: false,
        sentence: 'The queue is not well; turns still run, news may come a second late.',
      },
    ]);
    expect(brokenParts(null)).toEqual([]);
  });
});
