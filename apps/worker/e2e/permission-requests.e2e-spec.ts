import type { Permission, Turn } from '@chirality/contracts';
import { waitFor, type Answer, type TestClient } from '@chirality/testing';
import { limits, startFaultStack, type FaultStack } from './support/fault-stack';
import { addPerson, attend } from './support/people';
import { untilGone } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

const touch = (file: string) => `[[tool Bash {"command":"touch ${file}"}]]`;

describe('asking people', () => {
  let product: FaultStack;
  let person: TestClient;

  beforeAll(async () => {
    product = await startFaultStack({ env: { CHIRALITY_WORKER_SLOTS: '3' } });
    person = product.person;
  });
  afterAll(() => product?.stop());

  const open = (more?: Record<string, unknown>) => WatchedSession.open(person, product.projectId, more);
  const answer = (
    watched: WatchedSession,
    permissionId: string,
    decision: Record<string, unknown>,
    by = person,
  ): Promise<Answer<Permission & { code?: string; outcome?: string }>> =>
    by.call('POST', `/v1/sessions/${watched.id}/permissions/${permissionId}`, decision);

  /** The requests of a turn, once there are so many. */
  async function requests(
    watched: WatchedSession,
    turn: Turn,
    count = 1,
  ): Promise<
    {
      permissionId: string;
      kind: string;
      input: Record<string, unknown>;
      tool: string;
      reason: string;
      pattern: string | null;
      patterns: string[];
      expiresAt: string;
    }[]
  > {
    await waitFor(() => watched.payloads(turn, 'permission:request').length >= count, {
      what: `${count} requests`,
      timeoutMs: 30_000,
    }).catch((error: Error) => {
      throw new Error(`${error.message}; seen: ${JSON.stringify(watched.of(turn))}`);
    });
    return watched.payloads(turn, 'permission:request') as never;
  }

  async function files(watched: WatchedSession): Promise<string> {
    return JSON.stringify((await person.call('GET', `/v1/sessions/${watched.id}/files?path=`)).body);
  }

  /** What the model received last. */
  const lastWords = () =>
    JSON.stringify((product.stack.model?.requests().at(-1)?.body as { messages: unknown[] }).messages.at(-1));

  async function done(watched: WatchedSession): Promise<void> {
    await watched.expectLawful();
    watched.close();
  }

  it('once: the command runs when it is allowed, and is asked about again the next time', async () => {
    const watched = await open();
    const turn = await watched.send(`${touch('first.txt')} ${touch('second.txt')} [[text Tried both.]]`);
    const [first] = await requests(watched, turn);
    expect(first).toMatchObject({ kind: 'tool', tool: 'Bash', input: { command: 'touch first.txt' } });
    expect((await person.turn(watched.id, turn.id)).status).toBe('awaiting_permission');
    expect(await answer(watched, first?.permissionId ?? '', { decision: 'allow_once' })).toMatchObject({
      status: 200,
      body: { outcome: 'allowed', scope: 'once' },
    });
    const [, second] = await requests(watched, turn, 2);
    expect(
      await answer(watched, second?.permissionId ?? '', { decision: 'deny', reason: 'Only the first, please.' }),
    ).toMatchObject({ status: 200, body: { outcome: 'denied' } });
    const ended = await watched.end(turn);
    expect(ended).toMatchObject({
      status: 'completed',
      text: 'Tried both.',
      permissionDenials: [{ tool: 'Bash', input: { command: 'touch second.txt' } }],
    });
    expect(lastWords()).toContain('Only the first, please.');
    expect(await files(watched)).toContain('first.txt');
    expect(await files(watched)).not.toContain('second.txt');
    expect(watched.payloads(turn, 'permission:resolve')).toMatchObject([
      { outcome: 'allowed', scope: 'once', by: { name: expect.any(String) as string } },
      { outcome: 'denied', reason: 'Only the first, please.' },
    ]);
    await done(watched);
  });

  it('for the session: nothing is offered for what is piped into a shell, and what is offered for another command does not let it through', async () => {
    const watched = await open();
    const turn = await watched.send(
      `[[tool Bash {"command":"cat a | sh"}]] [[tool Bash {"command":"touch offered.txt && echo done"}]] [[tool Bash {"command":"touch offered.txt && echo done"}]] [[tool Bash {"command":"echo touch piped.txt | sh"}]] [[text Tried.]]`,
    );
    const [piped] = await requests(watched, turn);
    expect(piped).toMatchObject({ pattern: null, patterns: [] });
    await answer(watched, piped?.permissionId ?? '', { decision: 'allow_pattern' });
    const [, chain] = await requests(watched, turn, 2);
    expect(chain).toMatchObject({ pattern: 'Bash(touch offered.txt)', patterns: ['Bash(touch offered.txt)'] });
    await answer(watched, chain?.permissionId ?? '', { decision: 'allow_pattern' });
    const [, , again] = await requests(watched, turn, 3);
    expect(again).toMatchObject({ input: { command: 'echo touch piped.txt | sh' }, patterns: [] });
    await answer(watched, again?.permissionId ?? '', { decision: 'deny' });
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Tried.' });
    expect(await files(watched)).not.toContain('piped.txt');
    const { body } = await person.call('GET', `/v1/sessions/${watched.id}/rules`);
    expect(body).toMatchObject({ data: [{ tool: 'Bash', pattern: 'Bash(touch offered.txt)' }] });
    await done(watched);
  });

  it('a rule that is made while a request waits settles it, is named by the record, and cannot be overruled', async () => {
    const watched = await open();
    const turn = await watched.send(`${touch('meanwhile.txt')} ${touch('never.txt')} [[text Settled.]]`);
    const [first] = await requests(watched, turn);
    const rules = `/v1/projects/${product.projectId}/rules`;
    const made = [
      await person.call<{ id: string }>('POST', rules, {
        tool: 'Bash',
        pattern: 'touch meanwhile.txt',
        effect: 'allow',
      }),
    ];
    const [, second] = await requests(watched, turn, 2);
    made.push(
      await person.call<{ id: string }>('POST', rules, { tool: 'Bash', pattern: 'touch never.txt', effect: 'deny' }),
    );
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Settled.' });
    expect(watched.payloads(turn, 'permission:resolve')).toMatchObject([
      {
        permissionId: first?.permissionId,
        outcome: 'allowed',
        reason: expect.stringContaining('Bash(touch meanwhile.txt)') as string,
        policy: { rule: 'Bash(touch meanwhile.txt)', by: { name: expect.any(String) as string } },
      },
      {
        permissionId: second?.permissionId,
        outcome: 'denied',
        reason: expect.stringContaining('Bash(touch never.txt)') as string,
        policy: { rule: 'Bash(touch never.txt)' },
      },
    ]);
    expect(await answer(watched, second?.permissionId ?? '', { decision: 'allow_once' })).toMatchObject({
      status: 409,
      body: { code: 'PERMISSION_RESOLVED', outcome: 'denied' },
    });
    expect(await files(watched)).toContain('meanwhile.txt');
    expect(await files(watched)).not.toContain('never.txt');
    for (const { body } of made) await person.call('DELETE', `${rules}/${body.id}`);
    await done(watched);
  });

  it('for the session: the tool is not asked about again, until the rule is taken back', async () => {
    const watched = await open();
    const turn = await watched.send(`${touch('a.txt')} ${touch('b.txt')} [[text Both.]]`);
    const [first] = await requests(watched, turn);
    await answer(watched, first?.permissionId ?? '', { decision: 'allow_tool' });
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', permissionDenials: [] });
    const next = await watched.run(`${touch('c.txt')} [[text Again.]]`);
    expect([
      ...watched.payloads(turn, 'permission:request'),
      ...watched.payloads(next, 'permission:request'),
    ]).toHaveLength(1);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) expect(await files(watched)).toContain(name);
    const rules = await person.call<{ data: { id: string; tool: string }[] }>(
      'GET',
      `/v1/sessions/${watched.id}/rules`,
    );
    expect(rules.body.data).toMatchObject([{ tool: 'Bash', pattern: null }]);
    await person.call('DELETE', `/v1/sessions/${watched.id}/rules/${rules.body.data[0]?.id}`);
    const asked = await watched.send(`${touch('d.txt')} [[text Once more.]]`);
    const [again] = await requests(watched, asked);
    await answer(watched, again?.permissionId ?? '', { decision: 'deny' });
    expect(await watched.end(asked)).toMatchObject({ status: 'completed' });
    await done(watched);
  });

  it('about three calls at once, answered in another order', async () => {
    const watched = await open({ options: { strict: true } });
    // Only commands that change nothing are run side by side by the program; a strict session asks about them too.
    const calls = ['ls -a', 'pwd', 'ls -l'].map((command) => ['Bash', { command }]);
    const turn = await watched.send(`[[tools ${JSON.stringify(calls)}]] [[text All answered.]]`);
    const asked = await requests(watched, turn, 3);
    const of = (command: string) => asked.find(({ input }) => input['command'] === command)?.permissionId ?? '';
    await answer(watched, of('ls -l'), { decision: 'allow_once' });
    await answer(watched, of('ls -a'), { decision: 'deny' });
    expect((await person.turn(watched.id, turn.id)).status).toBe('awaiting_permission');
    await answer(watched, of('pwd'), { decision: 'allow_once' });
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'All answered.' });
    const commands = new Map(
      watched
        .payloads(turn, 'tool:start')
        .map(({ toolUseId, input }) => [toolUseId, (input as { command: string }).command]),
    );
    const refused = watched
      .payloads(turn, 'tool:result')
      .map(({ toolUseId, isError }) => [commands.get(toolUseId), isError]);
    expect(Object.fromEntries(refused)).toEqual({ 'ls -a': true, pwd: false, 'ls -l': false });
    await done(watched);
  });

  it('of whom twenty answer at once: one answer counts, and the others receive it', async () => {
    const people = [person, await addPerson(product.stack, 'Anna'), await addPerson(product.stack, 'Boris')];
    const watched = await open({ visibility: 'project' });
    const turn = await watched.send(`${touch('raced.txt')} [[text Decided.]]`);
    const [request] = await requests(watched, turn);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        answer(
          watched,
          request?.permissionId ?? '',
          { decision: index % 2 ? 'allow_once' : 'deny' },
          people[index % people.length],
        ),
      ),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const outcome = winners[0]?.body.outcome ?? '';
    for (const loser of answers.filter(({ status }) => status !== 200))
      expect(loser).toMatchObject({ status: 409, body: { code: 'PERMISSION_RESOLVED', outcome } });
    expect(await watched.end(turn)).toMatchObject({ status: 'completed' });
    expect(watched.payloads(turn, 'permission:resolve')).toMatchObject([
      { permissionId: request?.permissionId, outcome },
    ]);
    expect((await files(watched)).includes('raced.txt')).toBe(outcome === 'allowed');
    await done(watched);
  });

  it('who answer after the end learn that the run has ended', async () => {
    const watched = await open();
    const turn = await watched.send(`${touch('late.txt')} [[text Never.]]`);
    const [request] = await requests(watched, turn);
    await person.interrupt(watched.id);
    await watched.end(turn);
    expect(await answer(watched, request?.permissionId ?? '', { decision: 'allow_once' })).toMatchObject({
      status: 409,
      body: { code: 'PERMISSION_RESOLVED', outcome: 'run_ended' },
    });
    expect(await files(watched)).not.toContain('late.txt');
    await done(watched);
  });

  it('a question: the model gets the answers', async () => {
    const watched = await open();
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ];
    const turn = await watched.send(`[[tool AskUserQuestion ${JSON.stringify({ questions })}]] [[text Thank you.]]`);
    const [request] = await requests(watched, turn);
    expect(request).toMatchObject({ kind: 'question', tool: 'AskUserQuestion', input: { questions } });
    await answer(watched, request?.permissionId ?? '', {
      decision: 'allow_once',
      answers: { 'Which colour?': 'Blue' },
    });
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Thank you.' });
    expect(lastWords()).toContain('Blue');
    await done(watched);
  });

  it('about a plan: approved, the work begins; refused, it is planned on', async () => {
    const watched = await open({ options: { permissionMode: 'plan' } });
    const turn = await watched.send(
      `[[tool ExitPlanMode {"plan":"1. Write it"}]] [[tool ExitPlanMode {"plan":"2. Write it well"}]] ${touch('planned.txt')} [[text Done as planned.]]`,
    );
    const [first] = await requests(watched, turn);
    expect(first).toMatchObject({ kind: 'plan', tool: 'ExitPlanMode' });
    await answer(watched, first?.permissionId ?? '', { decision: 'deny', reason: 'Think it over.' });
    const [, second] = await requests(watched, turn, 2);
    expect(lastWords()).toContain('Think it over.');
    await answer(watched, second?.permissionId ?? '', { decision: 'allow_once' });
    const [, , command] = await requests(watched, turn, 3);
    expect(command).toMatchObject({ kind: 'tool', tool: 'Bash' });
    await answer(watched, command?.permissionId ?? '', { decision: 'allow_once' });
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Done as planned.' });
    expect(await files(watched)).toContain('planned.txt');
    await done(watched);
  });

  it('never in a pipeline: the first tool that would be asked about ends it', async () => {
    const watched = await open({ mode: 'pipeline' });
    const turn = await watched.run(
      `[[tool Read {"file_path":"/workspace/none"}]] ${touch('never.txt')} ${touch('never-either.txt')} [[text Never said.]]`,
    );
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'PERMISSION_DENIED' } });
    expect(watched.kinds(turn)).not.toContain('permission:request');
    expect(watched.payloads(turn, 'tool:start').filter(({ name }) => name === 'Bash')).toHaveLength(1);
    expect(await files(watched)).not.toContain('never');
    await untilGone(watched.id);
    expect(await watched.run('[[text The next one works.]]')).toMatchObject({ status: 'completed' });
    await done(watched);
  });

  it('while Redis is away: the answer arrives all the same', async () => {
    const watched = await open();
    const turn = await watched.send(`${touch('blind.txt')} [[text Found the answer.]]`);
    const [request] = await requests(watched, turn);
    await product.stack.redis.goDown();
    const from = performance.now();
    expect((await answer(watched, request?.permissionId ?? '', { decision: 'allow_once' })).status).toBe(200);
    const ended = await person.waitForEnd(watched.id, turn.id, 30_000);
    process.stderr.write(
      `an answer without Redis: the turn continued and ended within ${Math.round(performance.now() - from)} ms\n`,
    );
    expect(ended).toMatchObject({ status: 'completed', text: 'Found the answer.' });
    await product.stack.redis.comeUp();
    await done(watched);
  });

  it('when no one is present: denied after a while, and the model learns why', async () => {
    await product.replaceWorker(limits({ unattendedMs: 2_000 }));
    const watched = await open();
    const turn = await watched.send(`${touch('alone.txt')} [[text I continued without it.]]`);
    const [request] = await requests(watched, turn);
    const ended = await watched.end(turn);
    expect(ended).toMatchObject({ status: 'completed', text: 'I continued without it.' });
    expect(watched.payloads(turn, 'permission:resolve')).toMatchObject([
      {
        permissionId: request?.permissionId,
        outcome: 'expired',
        reason: expect.stringContaining('No one was present') as string,
      },
    ]);
    expect(lastWords()).toContain('No one was present');
    expect(await person.permissions(watched.id)).toMatchObject([
      { status: 'resolved', outcome: 'expired', resolvedBy: null, expiresAt: expect.any(String) as string },
    ]);
    const at = watched.of(turn).find(({ kind }) => kind === 'permission:request')?.ts ?? '';
    expect(Date.parse(request?.expiresAt ?? '') - Date.parse(at)).toBeLessThanOrEqual(2_000);
    expect(await answer(watched, request?.permissionId ?? '', { decision: 'allow_once' })).toMatchObject({
      status: 409,
      body: { code: 'PERMISSION_RESOLVED', outcome: 'expired' },
    });
    expect(await files(watched)).not.toContain('alone.txt');
    await done(watched);
  });

  it('when someone is present it waits, and when they leave it does not', async () => {
    const watched = await open();
    const leave = await attend(person, watched.id);
    const turn = await watched.send(`${touch('attended.txt')} [[text No one stayed.]]`);
    const [request] = await requests(watched, turn);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect((await person.turn(watched.id, turn.id)).status).toBe('awaiting_permission');
    leave();
    await watched.end(turn);
    expect(watched.payloads(turn, 'permission:resolve')).toMatchObject([
      { permissionId: request?.permissionId, outcome: 'expired' },
    ]);
    const [sooner] = watched.payloads(turn, 'permission:update');
    expect(Date.parse(String(sooner?.['expiresAt']))).toBeLessThan(Date.parse(request?.expiresAt ?? ''));
    await done(watched);
  });
});
