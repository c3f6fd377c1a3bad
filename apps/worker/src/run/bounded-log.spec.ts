import { BoundedLog } from './bounded-log';

describe('a bounded log', () => {
  it('passes the first lines of each kind on, and says how many were left out', () => {
    const lines: [unknown, string][] = [];
    const log = new BoundedLog(
      { warn: (facts: unknown, message?: string) => lines.push([facts, message ?? '']) } as never,
      2,
    );
    for (let line = 1; line <= 5; line += 1) log.warn({ line }, 'stderr');
    log.warn({ sample: 'x' }, 'noise');
    log.end();
    expect(lines).toEqual([
      [{ line: 1 }, 'stderr'],
      [{ line: 2 }, 'stderr'],
      [{ sample: 'x' }, 'noise'],
      [{ leftOut: 3 }, 'stderr'],
    ]);
  });
});
