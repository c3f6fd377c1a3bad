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
    expect(turn.error?.detail).toMatch(
      /^The turn may spend \$0\.01 and has spent \$0; its next request could cost \$0\.\d+ even with a short answer\..* Raise maxBudgetUsd/,
    );
    expect(asked).toBe(0);
    expect(watched.payloads(turn, 'turn:retry')).toEqual([]);
  });

  it('stops before the step that could pass it, keeps what was done, and has not spent more', async () => {
    const { turn, asked } = await run(
      '[[usage output=60000 input=10]]&[[text First step.]]&[[tool Read {"file_path":"/workspace/a.txt"}]] [[text Second step.]]',
      '0.95',
    );
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'BUDGET_EXCEEDED' } });
    expect(asked).toBe(1);
    expect(turn.text).toContain('First step.');
    expect(turn.costUsd).toBe('0.90003');
    expect(compareMoney(turn.costUsd ?? 'unknown', '0.95')).toBe(-1);
    expect(turn.error?.detail).toContain('has spent $0.90003');
  });

  it('spends what is left on answers that are as short as it takes, and says so', async () => {
    const { turn, asked } = await run(
      '[[usage output=5000 input=10]]&[[tool Read {"file_path":"/workspace/a.txt"}]] [[text Short enough.]]',
      '0.3',
    );
    expect(turn).toMatchObject({ status: 'completed', text: 'Short enough.', error: null });
    expect(asked).toBe(2);
    const allowed = (product.stack.model?.requests() ?? []).map(
      ({ body }) => (body as { max_tokens: number }).max_tokens,
    );
    for (const tokens of allowed) expect(tokens * 0.000015).toBeLessThan(0.3);
    // The second one has what the first did not use.
    expect(allowed[1]).toBeLessThan(Number(allowed[0]) - 4_000);
    expect(watched.payloads(turn, 'turn:notice').filter(({ code }) => code === 'BUDGET_LOW')).toHaveLength(1);
  });

  it('ends honestly when an answer had to stop for it and the next piece of it does not fit', async () => {
    const { turn } = await run(
      '[[usage output=15000 input=10]]&[[max_tokens This answer is cut where]] [[text Never.]]',
      '0.27',
    );
    expect(turn).toMatchObject({ status: 'failed', costUsd: '0.22503', error: { code: 'BUDGET_EXCEEDED' } });
    expect(turn.text).toContain('This answer is cut where');
  });

  it('continues after that with a sufficient budget, and is as long as it needs to be within it', async () => {
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

  const call = async <T>(method: string, path: string, body?: unknown, who = product.person) =>
    who.call<T>(method, path, body);
  const set = async (budget: Record<string, unknown>) => {
    const answer = await call<Budget>('POST', '/v1/budgets', budget);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const find = async (id: string) =>
    (await call<{ data: Budget[] }>('GET', '/v1/budgets')).body.data.find((budget) => budget.id === id);
  /** 0.3 dollars of output with this model. */
  const COSTLY = '[[usage output=20000]]&[[text One step.]]';
  const options = { model: 'claude-sonnet-4-5' };

  it('are announced on the way, refuse what could pass them while it runs, and then what would begin, until the limit is raised', async () => {
    const watched = await WatchedSession.open(product.person, product.projectId);
    const budget = await set({ scope: 'team', period: 'month', limitUsd: '0.8' });
    expect(budget).toMatchObject({
      spentUsd: '0',
      percent: 0,
      kind: 'hard',
      subjectName: expect.any(String) as string,
    });
    const read = '[[tool Read {"file_path":"/workspace/a.txt"}]]';
    const turn = await watched.end(await watched.send(`[[usage output=50000]]&${read} ${COSTLY}`, options));
    expect(turn).toMatchObject({
      status: 'failed',
      costUsd: '0.75',
      error: {
        code: 'BUDGET_EXCEEDED',
        detail: expect.stringContaining('what the team may spend this month') as string,
      },
    });
    expect(watched.payloads(turn, 'budget:notice')).toEqual([
      { budgetId: budget.id, percent: 80, spentUsd: '0.75', limitUsd: '0.8' },
    ]);
    expect(await find(budget.id)).toMatchObject({ spentUsd: '0.75', percent: 93 });

    await call('PATCH', `/v1/budgets/${budget.id}`, { limitUsd: '0.7' });
    const refused = await call<{ code: string; detail: string; budgetId: string }>(
      'POST',
      `/v1/sessions/${watched.id}/turns`,
      { message: 'More, please.' },
    );
    expect(refused).toMatchObject({
      status: 402,
      body: {
        code: 'BUDGET_EXCEEDED',
        budgetId: budget.id,
        detail: expect.stringMatching(
          /^What the team may spend this month is used up until 00:00 .*\(UTC\), in .*\. An owner or admin can raise the budget before\.$/,
        ) as string,
      },
    });

    expect(await call('PATCH', `/v1/budgets/${budget.id}`, { limitUsd: '5' })).toMatchObject({
      status: 200,
      body: { limitUsd: '5', spentUsd: '0.75' },
    });
    expect(await watched.end(await watched.send('[[text On we go.]]', options))).toMatchObject({
      status: 'completed',
      text: 'On we go.',
    });
    await watched.expectLawful();
    watched.close();
    expect((await call('DELETE', `/v1/budgets/${budget.id}`)).status).toBe(204);
  });

  it('that run out between two steps end the turn there, refuse the next, and let it continue once they are raised', async () => {
    const watched = await WatchedSession.open(product.person, product.projectId);
    const budget = await set({ scope: 'session', subjectId: watched.id, period: 'total', limitUsd: '0.75' });
    product.stack.model?.reset();
    const turn = await watched.end(
      await watched.send(
        '[[usage output=50000]]&[[text "First step."]]&[[tool Read {"file_path":"/workspace/a.txt"}]] [[text "Second step."]]',
        options,
      ),
    );
    expect(turn).toMatchObject({
      status: 'failed',
      costUsd: '0.75',
      usage: { inputTokens: 0, outputTokens: 50_000, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
    expect(turn.error).toEqual({
      code: 'BUDGET_EXCEEDED',
      detail:
        'The turn’s next request could pass what this session may spend. What was done so far is kept. The budget binds, and it does not reset. An owner or admin can raise the budget.',
    });
    expect(turn.text).toContain('First step.');
    expect([product.stack.model?.requests().length, watched.payloads(turn, 'turn:retry')]).toEqual([1, []]);
    expect(watched.payloads(turn, 'budget:notice')).toEqual([
      { budgetId: budget.id, percent: 100, spentUsd: '0.75', limitUsd: '0.75' },
    ]);
    expect(watched.payloads(turn, 'turn:end')).toMatchObject([
      { status: 'failed', error: { code: 'BUDGET_EXCEEDED' }, costUsd: '0.75' },
    ]);
    const report = await call<{ data: { key: string; costUsd: string; usage: unknown }[] }>(
      'GET',
      '/v1/usage?groupBy=turn',
    );
    expect(report.body.data.filter(({ key }) => key === turn.id)).toMatchObject([
      { costUsd: '0.75', usage: turn.usage },
    ]);

    const send = () =>
      call<{ code: string; detail: string }>('POST', `/v1/sessions/${watched.id}/turns`, {
        message: '[[text "On we go."]]',
        options,
      });
    expect(await send()).toMatchObject({
      status: 402,
      body: {
        code: 'BUDGET_EXCEEDED',
        detail:
          'What this session may spend is used up, and it does not reset. An owner or admin can raise the budget.',
      },
    });
    expect((await product.person.session(watched.id)).status).toBe('idle');
    expect((await call('PATCH', `/v1/budgets/${budget.id}`, { limitUsd: '1' })).status).toBe(200);
    expect(await watched.end(await watched.send('[[text "On we go."]]', options))).toMatchObject({
      status: 'completed',
      text: 'On we go.',
    });
    await watched.expectLawful();
    watched.close();
    expect((await call('DELETE', `/v1/budgets/${budget.id}`)).status).toBe(204);
  });

  it('bind the author alone, not the session’s owner', async () => {
    const ada = await addPerson(product.stack, 'Ada');
    const me = (await ada.call<{ user: { id: string } }>('GET', '/v1/me')).body.user.id;
    const watched = await WatchedSession.open(product.person, product.projectId, { visibility: 'project' });
    const budget = await set({ scope: 'user', subjectId: me, period: 'day', limitUsd: '0' });
    const refused = await call<{ detail: string }>(
      'POST',
      `/v1/sessions/${watched.id}/turns`,
      { message: 'hello' },
      ada,
    );
    expect(refused).toMatchObject({
      status: 402,
      body: {
        detail: expect.stringMatching(
          /^What the person who sent this may spend today is used up until 00:00 .*\(UTC\), in .*\. An owner or admin can raise the budget before\.$/,
        ) as string,
      },
    });
    expect(await watched.end(await watched.send('[[text Mine.]]', options))).toMatchObject({ status: 'completed' });
    expect((await call<{ data: Budget[] }>('GET', '/v1/budgets', undefined, ada)).body.data).toMatchObject([
      { id: budget.id },
    ]);
    expect((await call('PATCH', `/v1/budgets/${budget.id}`, { limitUsd: '9' }, ada)).status).toBe(403);
    await call('DELETE', `/v1/budgets/${budget.id}`);
    watched.close();
  });

  it('are not passed by turns that run at the same time', async () => {
    const budget = await set({ scope: 'project', subjectId: product.projectId, period: 'total', limitUsd: '2' });
    const sessions = await Promise.all(
      ['a', 'b', 'c', 'd'].map(() => WatchedSession.open(product.person, product.projectId)),
    );
    const ended = await Promise.all(
      sessions.map(async (watched) =>
        watched.end(
          await watched.send(
            Array.from(
              { length: 4 },
              () => '[[usage output=15000]]&[[tool Read {"file_path":"/workspace/a.txt"}]]',
            ).join(' '),
            options,
          ),
        ),
      ),
    );
    expect(ended.map(({ error }) => error?.code)).toContain('BUDGET_EXCEEDED');
    const after = await find(budget.id);
    expect(compareMoney(after?.spentUsd ?? '9', '2')).not.toBe(1);
    for (const watched of sessions) watched.close();
  });
});
