import { BudgetRepository } from '@chirality/database';
import { RIGHTS_ENDED } from '@chirality/domain';
import { SecretBox } from '@chirality/platform';
import { buildTeam } from '@chirality/testing';
import { errorTypeOf } from '../../test/gateway-bench';
import { BilledGateway, FAILED, TEAM_KEY } from '../../test/billed-gateway';

describe('paying for a turn where the installation has no key', () => {
  let billed: BilledGateway;
  beforeAll(async () => (billed = await BilledGateway.start()), 60_000);
  afterAll(() => billed.close());

  it('a team with a key is answered by the real service at the same time as another by the demo model', async () => {
    const [paying, free] = await Promise.all([billed.turnOf(billed.withKey.id), billed.turnOf(billed.without.id)]);
    const [bought, shown] = await Promise.all([paying.send(), free.send()]);
    expect(bought.body).toContain('from the real one');
    expect(shown).toMatchObject({ status: 200 });
    expect(shown.body).not.toContain('from the real one');
    expect(billed.real.requests.map(({ headers }) => headers['x-api-key'])).toEqual([TEAM_KEY]);
    await Promise.all([paying.lease.unbind(), free.lease.unbind()]);
    const byTeam = (teamId: string) =>
      billed.stored.filter((entry) => entry.teamId === teamId && entry.complete).map(({ demo }) => demo);
    expect([byTeam(billed.withKey.id), byTeam(billed.without.id)]).toEqual([[false], [true]]);
  });

  it('the demo model costs nothing, whatever the budget; with a key the budget counts, but not for counting', async () => {
    expect(await (await billed.turnOf(billed.without.id, '0')).send()).toMatchObject({ status: 200 });
    const { send, payments, stops } = await billed.turnOf(billed.withKey.id, '0.01');
    expect(await send('/v1/messages/count_tokens')).toMatchObject({ status: 200 });
    expect(stops).toEqual([]);
    const answer = await send();
    expect([answer.status, errorTypeOf(answer), answer.headers['x-should-retry'], stops]).toEqual([
      403,
      'permission_error',
      'false',
      ['stopped'],
    ]);
    expect(payments.explain(FAILED)).toMatchObject({
      error: {
        code: 'BUDGET_EXCEEDED',
        detail: expect.stringContaining('may spend $0.01 and has spent $0;') as string,
      },
    });
    expect(payments.explain({ cause: 'succeed', error: null })).toEqual({ cause: 'succeed', error: null });
  });

  it('a used-up budget lets the demo model answer, and not the account that is found in the middle of the turn', async () => {
    const team = await buildTeam(billed.database.pool);
    const { author, send, payments, lease, stops } = await billed.turnOf(team.id);
    await new BudgetRepository(billed.database).create({
      teamId: team.id,
      scope: 'team',
      subjectId: team.id,
      period: 'month',
      kind: 'hard',
      limitUsd: '0',
      createdById: author.id,
    });
    expect(await send()).toMatchObject({ status: 200 });
    await billed.putKey(team.id, null, TEAM_KEY);
    const before = billed.real.requests.length;
    expect(await send()).toMatchObject({ status: 403 });
    await lease.unbind();
    expect([billed.real.requests.length, stops]).toEqual([before, ['stopped']]);
    expect(payments.explain(FAILED)).toMatchObject({
      error: {
        code: 'BUDGET_EXCEEDED',
        detail: expect.stringContaining('what the team may spend this month') as string,
      },
    });
  });

  it('a budget counts what was used, of an answer that came, and frees the rest', async () => {
    const { send, payments, lease } = await billed.turnOf(billed.withKey.id, '0.04');
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
      const { author, send, stops, payments } = await billed.turnOf(billed.withKey.id);
      expect(await send()).toMatchObject({ status: 200 });
      await billed.database.pool.query(sql, [author.id]);
      const before = billed.real.requests.length;
      expect([name, (await send()).status, billed.real.requests.length - before, stops]).toEqual([
        name,
        403,
        0,
        ['forbidden'],
      ]);
      expect(payments.explain(FAILED)).toEqual({ cause: 'fail', error: RIGHTS_ENDED });
    }
  });

  it('a key that the service refuses is named by its owner, until one is accepted', async () => {
    const reply = billed.real.reply;
    const { send, payments, author } = await billed.turnOf(billed.withKey.id);
    const own = await billed.putKey(billed.withKey.id, author.id, `sk-ant-api03-${'o'.repeat(60)}`);
    billed.real.reply = (response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}');
    expect(await send()).toMatchObject({ status: 401, headers: { 'x-should-retry': 'false' } });
    const unauthorised = { cause: 'fail' as const, error: { code: 'MODEL_AUTH_FAILED' as const, detail: 'x' } };
    expect(payments.explain(unauthorised).error?.detail).toBe(
      'The model’s service did not accept the key of Ada, who sent this. Ada changes it in Settings under Keys. The service said: invalid x-api-key',
    );
    billed.real.reply = (response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}');
    await billed.keys.revoke(own);
    await send();
    expect(payments.explain(unauthorised).error?.detail).toContain('the team’s key. An owner or admin changes it');
    billed.real.reply = reply;
    await send();
    expect(payments.explain(unauthorised)).toEqual(unauthorised);
  });

  it('a key that cannot be opened is reported, and no other is billed in its place', async () => {
    const { send, payments, author } = await billed.turnOf(billed.withKey.id);
    await billed.putKey(billed.withKey.id, author.id, TEAM_KEY, new SecretBox(Buffer.alloc(32, 9)));
    const before = billed.real.requests.length;
    expect(await send()).toMatchObject({ status: 403 });
    expect(billed.real.requests).toHaveLength(before);
    expect(payments.explain(FAILED)).toMatchObject({
      error: { code: 'MODEL_AUTH_FAILED', detail: expect.stringContaining('Enter it again') as string },
    });
  });
});
