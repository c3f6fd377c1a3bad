import type { Budget, Turn } from '@chirality/contracts';
import { compareMoney } from '@chirality/domain';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { addPerson } from './support/people';
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

describe('budgets of a team and its people', () => {
  let product: FaultStack;
  beforeAll(async () => {
    product = await startFaultStack({ env: { CHIRALITY_WORKER_SLOTS: '4' } });
  });
  afterAll(() => product?.stop());

  const call = async <T>(method: string, path: string, body?: unknown, who = product.person) => who.call<T>(method, path, body);
  const set = async (budget: Record<string, unknown>) => {
    const answer = await call<Budget>('POST', '/v1/budgets', budget);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const find = async (id: string) => (await call<{ data: Budget[] }>('GET', '/v1/budgets')).body.data.find((budget) => budget.id === id);
  /** 0.3 dollars of output with this model. */
  const COSTLY = '[[usage output=20000]]&[[text One step.]]';
  const options = { model: 'claude-sonnet-4-5' };

  it('are told of on the way, refuse what could pass them while it runs, and then what would begin; a raised limit lets it go on', async () => {
    const watched = await WatchedSession.open(product.person, product.projectId);
    const budget = await set({ scope: 'team', period: 'month', limitUsd: '1.2' });
    expect(budget).toMatchObject({ spentUsd: '0', percent: 0, kind: 'hard', subjectName: expect.any(String) as string });
    const read = '[[tool Read {"file_path":"/workspace/a.txt"}]]';
    const turn = await watched.end(await watched.send(`[[usage output=50000]]&${read} ${COSTLY}`, options));
    expect(turn).toMatchObject({ status: 'failed', costUsd: '0.75', error: { code: 'BUDGET_EXCEEDED', detail: expect.stringContaining('what the team may spend this month') as string } });
    expect(watched.payloads(turn, 'budget:notice')).toEqual([{ budgetId: budget.id, percent: 50, spentUsd: '0.75', limitUsd: '1.2' }]);
    expect(await find(budget.id)).toMatchObject({ spentUsd: '0.75', percent: 62 });

    await call('PATCH', `/v1/budgets/${budget.id}`, { limitUsd: '0.7' });
    const refused = await call<{ code: string; detail: string; budgetId: string }>('POST', `/v1/sessions/${watched.id}/turns`, { message: 'More, please.' });
    expect(refused).toMatchObject({ status: 402, body: { code: 'BUDGET_EXCEEDED', budgetId: budget.id, detail: 'What the team may spend this month is used up. An owner or admin can raise the budget, or it goes on next month.' } });

    expect(await call('PATCH', `/v1/budgets/${budget.id}`, { limitUsd: '5' })).toMatchObject({ status: 200, body: { limitUsd: '5', spentUsd: '0.75' } });
    expect(await watched.end(await watched.send('[[text On we go.]]', options))).toMatchObject({ status: 'completed', text: 'On we go.' });
    await watched.expectLawful();
    watched.close();
    expect((await call('DELETE', `/v1/budgets/${budget.id}`)).status).toBe(204);
  });

  it('bind the author, whoever owns the session, and nobody else', async () => {
    const ada = await addPerson(product.stack, 'Ada');
    const me = (await ada.call<{ user: { id: string } }>('GET', '/v1/me')).body.user.id;
    const watched = await WatchedSession.open(product.person, product.projectId, { visibility: 'project' });
    const budget = await set({ scope: 'user', subjectId: me, period: 'day', limitUsd: '0' });
    const refused = await call<{ detail: string }>('POST', `/v1/sessions/${watched.id}/turns`, { message: 'hello' }, ada);
    expect(refused).toMatchObject({ status: 402, body: { detail: 'What the person who sent this may spend today is used up. An owner or admin can raise the budget, or it goes on tomorrow.' } });
    expect(await watched.end(await watched.send('[[text Mine.]]', options))).toMatchObject({ status: 'completed' });
    expect((await call<{ data: Budget[] }>('GET', '/v1/budgets', undefined, ada)).body.data).toMatchObject([{ id: budget.id }]);
    expect((await call('PATCH', `/v1/budgets/${budget.id}`, { limitUsd: '9' }, ada)).status).toBe(403);
    await call('DELETE', `/v1/budgets/${budget.id}`);
    watched.close();
  });

  it('are not passed by turns that run at the same time', async () => {
    const budget = await set({ scope: 'project', subjectId: product.projectId, period: 'total', limitUsd: '2' });
    const sessions = await Promise.all(['a', 'b', 'c', 'd'].map(() => WatchedSession.open(product.person, product.projectId)));
    const ended = await Promise.all(sessions.map(async (watched) => watched.end(await watched.send(Array.from({ length: 4 }, () => '[[usage output=15000]]&[[tool Read {"file_path":"/workspace/a.txt"}]]').join(' '), options))));
    expect(ended.map(({ error }) => error?.code)).toContain('BUDGET_EXCEEDED');
    const after = await find(budget.id);
    expect(compareMoney(after?.spentUsd ?? '9', '2')).not.toBe(1);
    for (const watched of sessions) watched.close();
  });
});
