import { runConformance, type ConformanceOptions } from '@chirality/conformance';
import type { Stack } from '@chirality/testing';
import { startBreakingProxy } from './breaking-proxy';
import { breaks } from './breaks';
import { startConformanceTarget } from './conformance-target';

jest.setTimeout(180_000);

describe('the conformance suite notices that', () => {
  let stack: Stack;
  let options: ConformanceOptions;

  beforeAll(async () => {
    ({ stack, options } = await startConformanceTarget());
  });
  afterAll(() => stack?.stop());

  it.each(breaks('').map(({ name }) => name))('%s', async (name) => {
    const broken = breaks(options.token).find((each) => each.name === name);
    if (!broken) throw new Error(`no break ${name}`);
    const proxy = await startBreakingProxy(stack.url, broken);
    try {
      const results = await runConformance({
        ...options,
        url: proxy.url,
        transports: ['rest'],
        only: broken.noticedBy,
      });
      expect(results.map(({ scenario }) => scenario).sort()).toEqual([...broken.noticedBy].sort());
      expect(results.filter(({ verdict }) => verdict !== 'failed')).toEqual([]);
    } finally {
      await proxy.close();
    }
  });
});
