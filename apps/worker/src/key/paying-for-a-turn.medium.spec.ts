import { mkdtempSync, rmSync } from 'node:fs';
import { BudgetRepository, BudgetSpendingRepository, ModelKeyRepository, type UsageEntry } from '@chirality/database';
import { DEFAULT_PRICES, modelKeySealOf, newId, RIGHTS_ENDED } from '@chirality/domain';
import { loadConfig, SecretBox } from '@chirality/platform';
import { buildTeam, buildUser, startTestDatabase, waitFor, type TestDatabase } from '@chirality/testing';
import { ask, errorTypeOf } from '../../test/gateway-bench';
import { replyStreaming, startModelUpstream, streamedAnswer, type ModelUpstream } from '../../test/model-upstream';
import { ModelGateway, type GatewayLease } from '../gateway/serve/model-gateway';
import { Upstream } from '../gateway/upstream/upstream';
import { TurnCosts, type TurnUsageBinding } from './turn-costs';
import { TurnUsageSink } from '../turn/turn-usage-sink';
import { openModelUpstreams, type ModelUpstreams } from '../gateway/upstream/model-upstreams';
import { AccountFinder } from './account-finder';
import { RequestFunding } from './request-funding';
import { TurnBudget } from './turn-budget';
import { TurnPaymaster } from './turn-paymaster';
import { TurnPayments } from './turn-payments';

const secrets = new SecretBox(Buffer.alloc(32, 1));
const TEAM_KEY = `sk-ant-api03-${'t'.repeat(60)}`;
const MESSAGE = JSON.stringify({
  model: 'claude-sonnet-4-5',
  max_tokens: 1_000,
  stream: true,
  messages: [{ role: 'user', content: 'hello' }],
});

describe('paying for a turn where the installation has no key', () => {
  let test: TestDatabase;
  let keys: ModelKeyRepository;
  let real: ModelUpstream;
  let upstreams: ModelUpstreams;
  let gateway: ModelGateway<TurnUsageBinding>;
  let runDir: string;
  let stored: UsageEntry[];
  let withKey: { id: string };
  let without: { id: string };

  beforeAll(async () => {
    test = await startTestDatabase();
    keys = new ModelKeyRepository(test);
    withKey = await buildTeam(test.pool);
    without = await buildTeam(test.pool);
    runDir = mkdtempSync('/tmp/chi-pay-');
    real = await startModelUpstream(
      replyStreaming(
        streamedAnswer('msg_1', 'from the real one').map((part) =>
          part.replace('claude-answering', 'claude-sonnet-4-5'),
        ),
      ),
    );
    // What goes to Anthropic elsewhere goes to a service of this test.
    const opened = await openModelUpstreams(
      loadConfig({
        DATABASE_URL: 'postgresql://x/x',
        REDIS_URL: 'redis://x',
        CHIRALITY_DATA_DIR: runDir,
        CHIRALITY_RUN_DIR: runDir,
      }),
      'work_test',
    );
    upstreams = { ...opened, service: new Upstream({ url: real.url }) };
    expect([opened.serviceKey, opened.demo]).toEqual([null, expect.any(Upstream)]);
    stored = [];
    const quiet = { warn: () => undefined };
    const paymaster = new TurnPaymaster(
      new AccountFinder(keys, secrets, upstreams),
      keys,
      new RequestFunding(new BudgetSpendingRepository(test), quiet),
      () => DEFAULT_PRICES,
      quiet,
    );
    const sink = new TurnUsageSink(
      { recordUsage: async (entry: UsageEntry) => (stored.push(entry), []) } as never,
      () => DEFAULT_PRICES,
    );
    gateway = new ModelGateway({
      paymaster,
      runDir,
      onUsage: sink,
      log: { warn: () => undefined, error: () => undefined },
    });
    await putKey(withKey.id, null, TEAM_KEY);
  });
  afterAll(async () => {
    await gateway.close();
    upstreams.service.close();
    await upstreams.close();
    await real.close();
    await test.close();
    rmSync(runDir, { recursive: true, force: true });
  });

  async function putKey(teamId: string, userId: string | null, value: string, box = secrets): Promise<string> {
    const id = newId('key');
    await keys.put({
      id,
      teamId,
      userId,
      sealed: box.seal(value, modelKeySealOf(id)),
      hint: null,
      createdBy: { userId: newId('user'), name: 'Someone' },
    });
    return id;
  }

  async function turnOf(teamId: string, limitUsd: string | null = null) {
    const author = await buildUser(test.pool, { teamId, name: 'Ada' });
    const stops: string[] = [];
    const payments = new TurnPayments(new TurnBudget(limitUsd), {
      refused: ({ code }) => void stops.push(code === 'FORBIDDEN' ? 'forbidden' : 'stopped'),
      budgetReached: () => undefined,
      answersShortened: () => void stops.push('shortened'),
    });
    const lease: GatewayLease<TurnUsageBinding> = await gateway.open({ processId: newId('process') });
    lease.bind({
      turnId: newId('turn'),
      attempt: 1,
      authorId: author.id,
      authorName: author.name,
      sessionId: 's',
      teamId,
      projectId: 'p',
      persona: null,
      costs: new TurnCosts(() => undefined),
      payments,
      onEgressRefused: () => undefined,
    });
    const send = (path = '/v1/messages?beta=true', body = MESSAGE) =>
      ask(lease.socketPath, { token: lease.token, path, body });
    return { author, payments, lease, send, stops };
  }

  const failed = {
    cause: 'fail' as const,
    error: { code: 'HARNESS_FAILURE' as const, detail: 'What the program says.' },
  };

  it('a team with a key is answered by the real service at the same time as another by the demo model', async () => {
    const [paying, free] = await Promise.all([turnOf(withKey.id), turnOf(without.id)]);
    const [bought, shown] = await Promise.all([paying.send(), free.send()]);
    expect(bought.body).toContain('from the real one');
    expect(shown).toMatchObject({ status: 200 });
    expect(shown.body).not.toContain('from the real one');
    expect(real.requests.map(({ headers }) => headers['x-api-key'])).toEqual([TEAM_KEY]);
    await Promise.all([paying.lease.unbind(), free.lease.unbind()]);
    const byTeam = (teamId: string) =>
      stored.filter((entry) => entry.teamId === teamId && entry.complete).map(({ demo }) => demo);
    expect([byTeam(withKey.id), byTeam(without.id)]).toEqual([[false], [true]]);
  });

  it('the demo model costs nothing, whatever the budget; with a key the budget counts, but not for counting', async () => {
    expect(await (await turnOf(without.id, '0')).send()).toMatchObject({ status: 200 });
    const { send, payments, stops } = await turnOf(withKey.id, '0.01');
    expect(await send('/v1/messages/count_tokens')).toMatchObject({ status: 200 });
    expect(stops).toEqual([]);
    const answer = await send();
    expect([answer.status, errorTypeOf(answer), answer.headers['x-should-retry'], stops]).toEqual([
      403,
      'permission_error',
      'false',
      ['stopped'],
    ]);
    expect(payments.explain(failed)).toMatchObject({
      error: {
        code: 'BUDGET_EXCEEDED',
        detail: expect.stringContaining('may spend $0.01 and has spent $0;') as string,
      },
    });
    expect(payments.explain({ cause: 'succeed', error: null })).toEqual({ cause: 'succeed', error: null });
  });

  it('a used-up budget lets the demo model answer, and not the account that is found in the middle of the turn', async () => {
    const team = await buildTeam(test.pool);
    const { author, send, payments, lease, stops } = await turnOf(team.id);
    await new BudgetRepository(test).create({
      teamId: team.id,
      scope: 'team',
      subjectId: team.id,
      period: 'month',
      kind: 'hard',
      limitUsd: '0',
      createdById: author.id,
    });
    expect(await send()).toMatchObject({ status: 200 });
    await putKey(team.id, null, TEAM_KEY);
    const before = real.requests.length;
    expect(await send()).toMatchObject({ status: 403 });
    await lease.unbind();
    expect([real.requests.length, stops]).toEqual([before, ['stopped']]);
    expect(payments.explain(failed)).toMatchObject({
      error: {
        code: 'BUDGET_EXCEEDED',
        detail: expect.stringContaining('what the team may spend this month') as string,
      },
    });
  });

  it('a budget counts what was used, of an answer that came, and frees the rest', async () => {
    const { send, payments, lease } = await turnOf(withKey.id, '0.04');
    for (let n = 0; n < 20; n += 1) expect(await send()).toMatchObject({ status: 200 });
    await lease.unbind();
    // Ten plain, 500 read from the cache, 70 and 30 written to it, twelve of output, twenty times.
    expect(payments.budget.spent).toBe('0.01605');
  });

  it('nothing more is requested for a viewer or a former member, and the turn learns why', async () => {
    for (const [sql, name] of [
      [`UPDATE membership SET role = 'viewer' WHERE user_id = $1`, 'viewer'],
      ['DELETE FROM membership WHERE user_id = $1', 'gone'],
    ] as const) {
      const { author, send, stops, payments } = await turnOf(withKey.id);
      expect(await send()).toMatchObject({ status: 200 });
      await test.pool.query(sql, [author.id]);
      const before = real.requests.length;
      expect([name, (await send()).status, real.requests.length - before, stops]).toEqual([
        name,
        403,
        0,
        ['forbidden'],
      ]);
      expect(payments.explain(failed)).toEqual({ cause: 'fail', error: RIGHTS_ENDED });
    }
  });

  it('a key that the service refuses is named by its owner, until one is accepted', async () => {
    const reply = real.reply;
    const { send, payments, author } = await turnOf(withKey.id);
    const own = await putKey(withKey.id, author.id, `sk-ant-api03-${'o'.repeat(60)}`);
    real.reply = (response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}');
    expect(await send()).toMatchObject({ status: 401, headers: { 'x-should-retry': 'false' } });
    const unauthorised = { cause: 'fail' as const, error: { code: 'MODEL_AUTH_FAILED' as const, detail: 'x' } };
    expect(payments.explain(unauthorised).error?.detail).toBe(
      'The model’s service did not accept the key of Ada, who sent this. Ada changes it in Settings under Keys. The service said: invalid x-api-key',
    );
    real.reply = (response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}');
    await keys.revoke(own);
    await send();
    expect(payments.explain(unauthorised).error?.detail).toContain('the team’s key. An owner or admin changes it');
    real.reply = reply;
    await send();
    expect(payments.explain(unauthorised)).toEqual(unauthorised);
  });

  it('a key that cannot be opened is reported, and no other is billed in its place', async () => {
    const { send, payments, author } = await turnOf(withKey.id);
    await putKey(withKey.id, author.id, TEAM_KEY, new SecretBox(Buffer.alloc(32, 9)));
    const before = real.requests.length;
    expect(await send()).toMatchObject({ status: 403 });
    expect(real.requests).toHaveLength(before);
    expect(payments.explain(failed)).toMatchObject({
      error: { code: 'MODEL_AUTH_FAILED', detail: expect.stringContaining('Enter it again') as string },
    });
  });

  describe('when a budget has little left', () => {
    const LONG = { ...(JSON.parse(MESSAGE) as object), max_tokens: 32_000 };
    const sendLong = (turn: Awaited<ReturnType<typeof turnOf>>, more: object = {}) =>
      turn.send(undefined, JSON.stringify({ ...LONG, ...more }));
    const lastSent = () => JSON.parse(real.requests.at(-1)?.body ?? '') as { max_tokens: number };
    let whole: ModelUpstream['reply'];
    beforeEach(() => (whole = real.reply));
    afterEach(() => (real.reply = whole));

    /** Resolves when a waiting request looks again: it asks again which account is billed. */
    const aRequestWaits = async () => {
      const asked = jest.spyOn(keys, 'findPaying');
      await waitFor(() => asked.mock.calls.length >= 2, { what: 'a request waits' });
      asked.mockRestore();
    };

    /** The service keeps the next answer back until it is released; answers come in the order of their requests. */
    const holdAnswers = () => {
      const held: (() => void)[] = [];
      let arrived: () => void = () => undefined;
      const first = new Promise<void>((resolve) => (arrived = resolve));
      real.reply = (response, request) => {
        held.push(() => whole(response, request));
        arrived();
      };
      return { first, release: () => held.forEach((answer) => answer()) };
    };

    it('a request may answer in so many tokens as are left, and the turn is notified once', async () => {
      const turn = await turnOf(withKey.id, '0.1');
      for (let n = 0; n < 2; n += 1) expect(await sendLong(turn)).toMatchObject({ status: 200 });
      expect(lastSent()).toEqual({ ...LONG, max_tokens: expect.any(Number) as number });
      // 15 dollars a million; the prompt and the first answer cost less than a thousandth.
      expect(lastSent().max_tokens).toBeGreaterThan(6_400);
      expect(lastSent().max_tokens).toBeLessThan(6_667);
      expect(turn.stops).toEqual(['shortened']);
    });

    it('the request is left alone where all of it fits', async () => {
      const turn = await turnOf(withKey.id, '0.5');
      const body = JSON.stringify(LONG, null, 1);
      await turn.send(undefined, body);
      expect([real.requests.at(-1)?.body, turn.stops]).toEqual([JSON.stringify(LONG), []]);
    });

    it('one that comes beside an open one waits for what that does not use, also in another session', async () => {
      const team = await buildTeam(test.pool);
      await putKey(team.id, null, TEAM_KEY);
      const [one, other] = [await turnOf(team.id), await turnOf(team.id)];
      await new BudgetRepository(test).create({
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
      real.reply = whole;
      const before = real.requests.length;
      const waits = sendLong(other);
      await aRequestWaits();
      // A short one passes meanwhile: what is left pays for it.
      expect(await one.send(undefined, JSON.stringify({ ...LONG, max_tokens: 100 }))).toMatchObject({ status: 200 });
      expect(real.requests).toHaveLength(before + 1);
      release();
      expect([await begun, await waits]).toMatchObject([{ status: 200 }, { status: 200 }]);
      expect([lastSent().max_tokens, one.stops, other.stops]).toEqual([32_000, [], []]);
    });

    it('one that waits is billed to the account of the moment in which it continues', async () => {
      const team = await buildTeam(test.pool);
      const key = await putKey(team.id, null, TEAM_KEY);
      const turn = await turnOf(team.id, '0.5');
      const { first, release } = holdAnswers();
      const begun = sendLong(turn);
      await first;
      const waits = sendLong(turn);
      await aRequestWaits();
      await keys.revoke(key);
      const before = real.requests.length;
      expect(await waits).toMatchObject({ status: 200 });
      expect(real.requests).toHaveLength(before);
      release();
      await begun;
    });

    it('one that waits ends with its turn', async () => {
      const turn = await turnOf(withKey.id, '0.5');
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
      const turn = await turnOf(withKey.id, '0.1');
      real.reply = cut;
      await sendLong(turn, { max_tokens: 1_500 });
      expect(turn.payments.explain(failed)).toEqual(failed);
      await sendLong(turn);
      expect(turn.payments.explain(failed)).toMatchObject({
        cause: 'fail',
        error: { code: 'BUDGET_EXCEEDED', detail: expect.stringContaining('where a budget did') as string },
      });
      real.reply = whole;
      await sendLong(turn);
      expect(turn.payments.explain(failed)).toEqual(failed);
    });

    it('nothing is asked whose shortest answer would not fit', async () => {
      const turn = await turnOf(withKey.id, '0.0153');
      const before = real.requests.length;
      expect(await sendLong(turn)).toMatchObject({ status: 403 });
      expect([real.requests.length, turn.stops]).toEqual([before, ['stopped']]);
      expect(turn.payments.explain(failed).error?.detail).toMatch(
        /^The turn may spend \$0\.0153 and has spent \$0; its next request could cost \$0\.015\d+ even with a short answer\./,
      );
    });
  });
});
