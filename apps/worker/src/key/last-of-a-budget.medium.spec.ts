import { BudgetRepository } from '@chirality/database';
import { buildTeam, waitFor } from '@chirality/testing';
import { replyStreaming, streamedAnswer, type ModelUpstream } from '../../test/model-upstream';
import { BilledGateway, FAILED, MESSAGE, TEAM_KEY } from '../../test/billed-gateway';

describe('paying when a budget has little left', () => {
  let billed: BilledGateway;
  beforeAll(async () => (billed = await BilledGateway.start()), 60_000);
  afterAll(() => billed.close());

  const LONG = { ...(JSON.parse(MESSAGE) as object), max_tokens: 32_000 };
  const sendLong = (turn: Awaited<ReturnType<BilledGateway['turnOf']>>, more: object = {}) =>
    turn.send(undefined, JSON.stringify({ ...LONG, ...more }));
  const lastSent = () => JSON.parse(billed.real.requests.at(-1)?.body ?? '') as { max_tokens: number };
  let whole: ModelUpstream['reply'];
  beforeEach(() => (whole = billed.real.reply));
  afterEach(() => (billed.real.reply = whole));

  /** Resolves when a waiting request looks again: it asks again which account is billed. */
  const aRequestWaits = async () => {
    const asked = jest.spyOn(billed.keys, 'findPaying');
    await waitFor(() => asked.mock.calls.length >= 2, { what: 'a request waits' });
    asked.mockRestore();
  };

  /** The service keeps the next answer back until it is released; answers come in the order of their requests. */
  const holdAnswers = () => {
    const held: (() => void)[] = [];
    let arrived: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (arrived = resolve));
    billed.real.reply = (response, request) => {
      held.push(() => whole(response, request));
      arrived();
    };
    return { first, release: () => held.forEach((answer) => answer()) };
  };

  it('a request may answer in so many tokens as are left, and the turn is notified once', async () => {
    const turn = await billed.turnOf(billed.withKey.id, '0.1');
    for (let n = 0; n < 2; n += 1) expect(await sendLong(turn)).toMatchObject({ status: 200 });
    expect(lastSent()).toEqual({ ...LONG, max_tokens: expect.any(Number) as number });
    // 15 dollars a million; the prompt and the first answer cost less than a thousandth.
    expect(lastSent().max_tokens).toBeGreaterThan(6_400);
    expect(lastSent().max_tokens).toBeLessThan(6_667);
    expect(turn.stops).toEqual(['shortened']);
  });

  it('the request is left alone where all of it fits', async () => {
    const turn = await billed.turnOf(billed.withKey.id, '0.5');
    const body = JSON.stringify(LONG, null, 1);
    await turn.send(undefined, body);
    expect([billed.real.requests.at(-1)?.body, turn.stops]).toEqual([JSON.stringify(LONG), []]);
  });

  it('one that comes beside an open one waits for what that does not use, also in another session', async () => {
    const team = await buildTeam(billed.database.pool);
    await billed.putKey(team.id, null, TEAM_KEY);
    const [one, other] = [await billed.turnOf(team.id), await billed.turnOf(team.id)];
    await new BudgetRepository(billed.database).create({
      teamId: team.id,
      scope: 'team',
      subjectId: team.id,
      period: 'month',
      kind: 'hard',
      limitUsd: '0.5',
      createdById: one.author.id,
    });
    const { first, release } = holdAnswers();
    const begun = sendLong(one);
    await first;
    billed.real.reply = whole;
    const before = billed.real.requests.length;
    const waits = sendLong(other);
    await aRequestWaits();
    // A short one passes meanwhile: what is left pays for it.
    expect(await one.send(undefined, JSON.stringify({ ...LONG, max_tokens: 100 }))).toMatchObject({ status: 200 });
    expect(billed.real.requests).toHaveLength(before + 1);
    release();
    expect([await begun, await waits]).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect([lastSent().max_tokens, one.stops, other.stops]).toEqual([32_000, [], []]);
  });

  it('one that waits is billed to the account of the moment in which it continues', async () => {
    const team = await buildTeam(billed.database.pool);
    const key = await billed.putKey(team.id, null, TEAM_KEY);
    const turn = await billed.turnOf(team.id, '0.5');
    const { first, release } = holdAnswers();
    const begun = sendLong(turn);
    await first;
    const waits = sendLong(turn);
    await aRequestWaits();
    await billed.keys.revoke(key);
    const before = billed.real.requests.length;
    expect(await waits).toMatchObject({ status: 200 });
    expect(billed.real.requests).toHaveLength(before);
    release();
    await begun;
  });

  it('one that waits ends with its turn', async () => {
    const turn = await billed.turnOf(billed.withKey.id, '0.5');
    const { first } = holdAnswers();
    const begun = sendLong(turn);
    await first;
    const waits = sendLong(turn);
    await aRequestWaits();
    await turn.lease.unbind();
    expect([await begun, await waits]).toMatchObject([{ status: 401 }, { status: 401 }]);
    expect(turn.payments.budget.spent).toBe('0');
  });

  it('an answer that was cut there is the reason for a turn that cannot continue, and not for one that can', async () => {
    const cut = replyStreaming(
      streamedAnswer('msg_1', 'and so').map((part) =>
        part.replace('end_turn', 'max_tokens').replace('claude-answering', 'claude-sonnet-4-5'),
      ),
    );
    const turn = await billed.turnOf(billed.withKey.id, '0.1');
    billed.real.reply = cut;
    await sendLong(turn, { max_tokens: 1_500 });
    expect(turn.payments.explain(FAILED)).toEqual(FAILED);
    await sendLong(turn);
    expect(turn.payments.explain(FAILED)).toMatchObject({
      cause: 'fail',
      error: { code: 'BUDGET_EXCEEDED', detail: expect.stringContaining('where a budget did') as string },
    });
    billed.real.reply = whole;
    await sendLong(turn);
    expect(turn.payments.explain(FAILED)).toEqual(FAILED);
  });

  it('nothing is asked whose shortest answer would not fit', async () => {
    const turn = await billed.turnOf(billed.withKey.id, '0.0153');
    const before = billed.real.requests.length;
    expect(await sendLong(turn)).toMatchObject({ status: 403 });
    expect([billed.real.requests.length, turn.stops]).toEqual([before, ['stopped']]);
    expect(turn.payments.explain(FAILED).error?.detail).toMatch(
      /^The turn may spend \$0\.0153 and has spent \$0; its next request could cost \$0\.015\d+ even with a short answer\./,
    );
  });
});
