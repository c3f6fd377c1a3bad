import type { Turn } from '@chirality/contracts';
import { compareMoney } from '@chirality/domain';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

describe('a turn with a budget', () => {
  let product: FaultStack;
  let watched: WatchedSession;

  beforeAll(async () => {
    product = await startFaultStack();
    watched = await WatchedSession.open(product.person, product.projectId);
  });
  afterAll(async () => {
    watched?.close();
    await product?.stop();
  });

  const run = async (message: string, maxBudgetUsd: string): Promise<{ turn: Turn; asked: number }> => {
    product.stack.model?.reset();
    const turn = await watched.end(await watched.send(message, { maxBudgetUsd, model: 'claude-sonnet-4-5' }));
    return { turn, asked: product.stack.model?.requests().length ?? 0 };
  };

  it('asks for nothing that could pass it, and says how much is missing and what to do', async () => {
    const { turn, asked } = await run('[[text Never.]]', '0.01');
    expect(turn).toMatchObject({ status: 'failed', text: '', costUsd: '0', error: { code: 'BUDGET_EXCEEDED' } });
    expect(turn.error?.detail).toMatch(/^The turn may spend \$0\.01 and has spent \$0; its next request could cost up to \$0\.\d+\..* Raise maxBudgetUsd/);
    expect(asked).toBe(0);
    expect(watched.payloads(turn, 'turn:retry')).toEqual([]);
  });

  it('stops before the step that could pass it, keeps what was done, and has not spent more', async () => {
    const { turn, asked } = await run('[[usage output=60000 input=10]]&[[text First step.]]&[[tool Read {"file_path":"/workspace/a.txt"}]] [[text Second step.]]', '1.2');
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'BUDGET_EXCEEDED' } });
    expect(asked).toBe(1);
    expect(turn.text).toContain('First step.');
    expect(turn.costUsd).toBe('0.90003');
    expect(compareMoney(turn.costUsd, '1.2')).toBe(-1);
    expect(turn.error?.detail).toContain('has spent $0.90003');
  });

  it('goes on after that with a budget that is enough, and is as long as it needs to be within it', async () => {
    const { turn, asked } = await run('[[tool Read {"file_path":"/workspace/a.txt"}]] [[text Enough.]]', '3');
    expect(turn).toMatchObject({ status: 'completed', text: 'Enough.', error: null });
    expect(asked).toBe(2);
    await watched.expectLawful();
  });
});
