import type { Page, Permission, Session, SessionRule } from '@chirality/contracts';
import type { ClaimedTurn } from '@chirality/database';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('answering a permission request', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  let session: Session;
  let turn: ClaimedTurn;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    const { id } = await owner.team();
    member = await owner.invite(id, 'member@example.org', 'member');
    viewer = await owner.invite(id, 'viewer@example.org', 'viewer');
    session = await owner.createSession((await owner.createProject()).id, { visibility: 'project' });
    await owner.sendTurn(session.id);
    turn = await api.worker.claim();
    await api.worker.become(turn, 'spawned');
  });
  afterAll(() => api.stop());

  async function ask(tool = 'Bash', pattern: string | null = 'Bash(npm *)'): Promise<string> {
    const id = newId('permission');
    const input = { command: 'npm test' };
    const request = {
      permissionId: id,
      kind: 'tool' as const,
      toolUseId: `use_${id}`,
      tool,
      input,
      reason: 'runs a command',
      pattern,
    };
    const event = {
      kind: 'permission:request' as const,
      turn: turn.id,
      originator: { system: true as const },
      payload: request,
    };
    const { permissionId: _id, ...row } = request;
    await api.worker.log.append({
      sessionId: session.id,
      fence: turn.fence,
      events: [event],
      transition: async (tx) => {
        const { insertPermission } = await import('@chirality/database');
        await insertPermission(tx, { id, sessionId: session.id, turnId: turn.id, ...row });
        return true;
      },
    });
    return id;
  }
  const answer = (who: ApiClient, id: string, body: object) =>
    who.post(`/v1/sessions/${session.id}/permissions/${id}`, body);

  it('counts once: the first answer, sent to everyone and to the worker; the others learn its outcome', async () => {
    const id = await ask();
    const live = await member.live();
    await live.attach(session.id);
    const signals: string[] = [];
    const subscription = api.worker.messaging.signals.subscribe(api.worker.id, ({ reason, turnId }) =>
      signals.push(`${reason} ${turnId}`),
    );
    await subscription.ready;
    const answers = await Promise.all([
      answer(owner, id, { decision: 'allow_once' }),
      answer(member, id, { decision: 'deny', reason: 'no' }),
      answer(owner, id, { decision: 'allow_once' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const won = answers.find(({ status }) => status === 200)?.body as Permission;
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(body).toMatchObject({ code: 'PERMISSION_RESOLVED', outcome: won.outcome });
    await waitFor(
      () =>
        live
          .seen(session.id)
          .some(
            ({ kind, payload }) =>
              kind === 'permission:resolve' && (payload as { permissionId: string }).permissionId === id,
          ),
      { what: 'the answer is seen live' },
    );
    await waitFor(() => signals.includes(`permission ${turn.id}`), { what: 'the worker is signalled' });
    subscription();
    live.close();
  });

  it('may be given by socket: of twenty answers on both ways one counts, and the others learn which', async () => {
    const id = await ask();
    const [mine, theirs, looking] = await Promise.all([owner.live(), member.live(), viewer.live()]);
    const by = (live: typeof mine, body: object) =>
      live.ask('permission:answer', { session: session.id, permissionId: id, ...body });
    expect(await by(looking, { decision: 'allow_once' })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await by(mine, { decision: 'perhaps' })).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(
      await mine.ask('permission:answer', { session: newId('session'), permissionId: id, decision: 'deny' }),
    ).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const decision = { decision: index % 3 ? 'allow_once' : 'deny' };
        if (index % 2)
          return (await answer(index % 4 === 1 ? owner : member, id, decision)).body as object as Record<
            string,
            unknown
          >;
        return by(index % 4 ? mine : theirs, decision);
      }),
    );
    const won = answers.filter((one) => !('code' in one));
    expect(won).toHaveLength(1);
    const { outcome } = ((won[0] as { permission?: Permission }).permission ?? won[0]) as Permission;
    for (const one of answers.filter((each) => 'code' in each))
      expect(one).toMatchObject({ code: 'PERMISSION_RESOLVED', outcome });
    for (const live of [mine, theirs, looking]) live.close();
  });

  it('is not for viewers, and lists what waits', async () => {
    const id = await ask();
    expect((await answer(viewer, id, { decision: 'allow_once' }).expect(403)).body).toMatchObject({
      code: 'FORBIDDEN',
    });
    const pending = (await viewer.get(`/v1/sessions/${session.id}/permissions?status=pending`).expect(200))
      .body as Page<Permission>;
    expect(pending.data).toMatchObject([{ id, status: 'pending', tool: 'Bash' }]);
    expect(
      (await answer(member, id, { decision: 'deny', reason: `with ghp_${'a1B2'.repeat(9)}` }).expect(200)).body,
    ).toMatchObject({
      outcome: 'denied',
      resolvedBy: { name: 'member' },
      resolvedReason: expect.stringContaining('«redacted') as string,
    });
  });

  it('allows a pattern or a tool for the session, which is listed and can be taken back', async () => {
    await answer(owner, await ask(), { decision: 'allow_pattern' }).expect(200);
    await answer(owner, await ask('WebFetch', null), { decision: 'allow_tool' }).expect(200);
    const rules = ((await viewer.get(`/v1/sessions/${session.id}/rules`).expect(200)).body as Page<SessionRule>).data;
    expect(rules).toMatchObject([
      { tool: 'Bash', pattern: 'Bash(npm *)', createdBy: { userId: owner.user.id } },
      { tool: 'WebFetch', pattern: null },
    ]);
    const [rule] = rules;
    await viewer.delete(`/v1/sessions/${session.id}/rules/${rule?.id}`).expect(403);
    await owner.delete(`/v1/sessions/${session.id}/rules/${rule?.id}`).expect(204);
    await owner.delete(`/v1/sessions/${session.id}/rules/${rule?.id}`).expect(404);
  });

  it.each([{}, { decision: 'allow' }, { decision: 'deny', more: 1 }, { decision: 'deny', reason: 1 }])(
    'refuses the answer %j',
    async (body) => {
      expect((await answer(owner, await ask(), body).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );

  it('is recorded', async () => {
    const { data } = (await owner.get('/v1/audit?limit=200').expect(200)).body as Page<{ action: string }>;
    const actions = data.map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining([
        'permission:answer',
        'permission:answer-late',
        'rule:remove',
        'turn:message',
        'session:create',
        'project:create',
        'invitation:create',
        'invitation:accept',
      ]),
    );
  });
});
