import type { Logger } from '@chirality/platform';
import { ReconcilerLoop } from './reconciler-loop';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the reconciler’s loop', () => {
  it('runs one tick at a time, however often it is hurried', async () => {
    const open: (() => void)[] = [];
    const loop = new ReconcilerLoop(() => new Promise<void>((resolve) => open.push(resolve)), {} as Logger, 3_600_000);
    loop.start();
    loop.hurry();
    loop.hurry();
    open[0]?.();
    await settled();
    expect(open).toHaveLength(2);
    const stopping = loop.stop();
    open[1]?.();
    await stopping;
  });
});
