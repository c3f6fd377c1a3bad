import type { TurnRepository } from '@chirality/database';
import type { TurnSignals } from '@chirality/messaging';
import type { Logger } from '@chirality/platform';
import { PolicySignals } from './policy-signals';

function signals(listWaiting: () => Promise<{ workerId: string; sessionId: string; turnId: string }[]>) {
  const published: unknown[] = [];
  const warn = jest.fn();
  const publish = (workerId: string, signal: object) => published.push({ workerId, ...signal });
  return {
    policy: new PolicySignals(
      { listWaiting } as unknown as TurnRepository,
      { publish } as unknown as TurnSignals,
      { warn } as unknown as Logger,
    ),
    published,
    warn,
  };
}

describe('a changed rule', () => {
  it('reaches the workers whose turns wait in its project', async () => {
    const { policy, published } = signals(() =>
      Promise.resolve([{ workerId: 'worker_1', sessionId: 'sess_1', turnId: 'turn_1' }]),
    );
    await policy.changed('proj_1');
    expect(published).toEqual([{ workerId: 'worker_1', sessionId: 'sess_1', turnId: 'turn_1', reason: 'policy' }]);
  });

  it('holds where no worker can be reached: the request is answered, and the audit log has an entry', async () => {
    const { policy, warn } = signals(() => Promise.reject(new Error('the database is gone')));
    await expect(policy.changed('proj_1')).resolves.toBeUndefined();
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
