// Runs alone: it measures how soon a turn is interrupted.
import type { Turn } from '@chirality/contracts';
import { fakeClaude, waitFor } from '@chirality/testing';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { marked, running, turnProcesses, untilGone } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

/** What L6 promises, and what was seen at worst. */
const LAW = { acknowledgedMs: 1_000, goneMs: 12_000, finalMs: 15_000 };

describe('interrupting a turn', () => {
  let product: FaultStack;
  const worst: typeof LAW = { acknowledgedMs: 0, goneMs: 0, finalMs: 0 };

  beforeAll(async () => {
    product = await startFaultStack({ fake: true, env: { CHIRALITY_WORKER_SLOTS: '1', CHIRALITY_PARKED_MS: '0' } });
  });
  afterAll(async () => {
    process.stderr.write(
      `interrupting a turn, at worst: acknowledged ${Math.round(worst.acknowledgedMs)} ms, tree gone ${Math.round(worst.goneMs)} ms, final ${Math.round(worst.finalMs)} ms\n`,
    );
    await product?.stop();
  });

  const open = (more?: Record<string, unknown>) => WatchedSession.open(product.person, product.projectId, more);

  /** Interrupts, and holds the law's limits against what happens. */
  async function interrupt(watched: WatchedSession, turn: Turn): Promise<Turn> {
    const from = performance.now();
    const answer = await product.person.interrupt(watched.id);
    const acknowledgedMs = performance.now() - from;
    expect(answer.status).toBe(202);
    const [goneMs, ended] = await Promise.all([
      untilGone(watched.id).then(() => performance.now() - from),
      watched.end(turn).then((final) => ({ final, finalMs: performance.now() - from })),
    ]);
    const seen = { acknowledgedMs, goneMs, finalMs: ended.finalMs };
    for (const name of Object.keys(LAW) as (keyof typeof LAW)[]) {
      worst[name] = Math.max(worst[name], seen[name]);
      expect({ [name]: seen[name] < LAW[name] }).toEqual({ [name]: true });
    }
    return ended.final;
  }

  /** The session is as good as before: its log is sound and its next turn works. */
  async function expectUnharmed(watched: WatchedSession): Promise<void> {
    const next = await watched.run(fakeClaude().init().streamText('next', ['Still ', 'here.']).result().toMessage());
    expect(next).toMatchObject({ status: 'completed', text: 'Still here.' });
    await watched.expectLawful();
    watched.close();
  }

  const talking = () => fakeClaude().init().messageStart('m1').textDelta('m1', 'The first words');

  it('that is queued cancels it at once, and starts nothing', async () => {
    const [busy, waiting] = [await open(), await open()];
    const holder = await busy.send(talking().hang().toMessage());
    await busy.saw('chat:delta', holder);
    const queued = await waiting.send(fakeClaude().init().text('m1', 'never').result().toMessage());
    expect((await product.person.turn(waiting.id, queued.id)).status).toBe('queued');
    expect(await interrupt(waiting, queued)).toMatchObject({ status: 'cancelled', text: '' });
    expect(waiting.kinds(queued)).toEqual(['turn:queued', 'turn:end']);
    expect(await interrupt(busy, holder)).toMatchObject({
      status: 'interrupted',
      text: 'The first words',
      error: null,
    });
    await expectUnharmed(busy);
    await expectUnharmed(waiting);
  });

  it('before its program announced itself ends it without a ladder', async () => {
    const watched = await open();
    const turn = await watched.send(fakeClaude().hang().toMessage());
    await watched.saw('turn:start', turn);
    await waitFor(() => turnProcesses(watched.id).length > 0, { what: 'the program is started' });
    expect(await interrupt(watched, turn)).toMatchObject({ status: 'interrupted', error: null });
    await expectUnharmed(watched);
  });

  it('while it streams keeps what was said, and shows nothing of the program’s own diagnostics', async () => {
    const watched = await open();
    const turn = await watched.send(talking().hang().toMessage());
    await watched.saw('chat:delta', turn);
    expect(await interrupt(watched, turn)).toMatchObject({
      status: 'interrupted',
      text: 'The first words',
      error: null,
    });
    expect(watched.kinds(turn)).not.toContain('session:error');
    expect(JSON.stringify(watched.live)).not.toContain('ede_diagnostic');
    await expectUnharmed(watched);
  });

  it('that waits for a permission closes the question', async () => {
    const watched = await open();
    const turn = await watched.send(
      fakeClaude()
        .init()
        .step({ do: 'useTool', id: 'toolu_1', name: 'Bash', input: { command: 'make' } })
        .result()
        .toMessage(),
    );
    await watched.saw('permission:request', turn);
    expect(await interrupt(watched, turn)).toMatchObject({ status: 'interrupted' });
    expect(watched.payloads(turn, 'permission:resolve')).toMatchObject([{ outcome: 'run_ended' }]);
    expect(await product.person.permissions(watched.id)).toMatchObject([{ status: 'resolved', outcome: 'run_ended' }]);
    await expectUnharmed(watched);
  });

  it('that is finishing leaves it completed, and still ends the program', async () => {
    const watched = await open();
    const turn = await watched.send(
      fakeClaude().init().text('m1', 'All done.').result().step({ do: 'ignoreStdinEnd' }).hang().toMessage(),
    );
    await watched.saw('session:complete', turn);
    expect(await interrupt(watched, turn)).toMatchObject({ status: 'completed', text: 'All done.' });
    await expectUnharmed(watched);
  });

  it('twice, and after its end, changes nothing more', async () => {
    const watched = await open();
    const turn = await watched.send(talking().hang().toMessage());
    await watched.saw('chat:delta', turn);
    const answers = await Promise.all(Array.from({ length: 8 }, () => product.person.interrupt(watched.id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const ended = await watched.end(turn);
    expect(ended.status).toBe('interrupted');
    expect(await product.person.interrupt(watched.id)).toMatchObject({ status: 202, body: { turn: null } });
    expect(await product.person.turn(watched.id, turn.id)).toEqual(ended);
    await expectUnharmed(watched);
  });

  describe('at any moment of its life ends it once, in a state that fits:', () => {
    const unfinished = () => talking().hang();
    const whole = () => talking().textDelta('m1', ' and more').text('m1', 'The first words and more').result();

    it.each([
      ['sent', null, unfinished, ['cancelled', 'interrupted']],
      ['queued', 'turn:queued', unfinished, ['cancelled', 'interrupted']],
      ['begun', 'turn:start', unfinished, ['interrupted']],
      ['speaking', 'chat:delta', unfinished, ['interrupted']],
      ['about to end', 'chat:delta', whole, ['interrupted', 'completed']],
      ['answered', 'session:complete', whole, ['completed']],
      ['over', 'turn:end', whole, ['completed']],
    ] as const)('%s', async (_moment, after, steps, fitting) => {
      const watched = await open();
      const turn = await watched.send(steps().toMessage());
      if (after !== null) await watched.saw(after, turn);
      expect(fitting).toContain((await interrupt(watched, turn)).status);
      await watched.expectLawful();
      watched.close();
    });
  });

  it('ends a program by force that ignores every polite word', async () => {
    const watched = await open();
    const deaf = talking().onInterrupt('ignore').trap(['SIGINT', 'SIGTERM']).hang().toMessage();
    const turn = await watched.send(deaf);
    await watched.saw('chat:delta', turn);
    expect(await interrupt(watched, turn)).toMatchObject({
      status: 'interrupted',
      text: 'The first words',
      error: null,
    });
    expect(watched.payloads(turn, 'process:exit')).toMatchObject([{ signal: 'SIGKILL', final: true }]);
    await expectUnharmed(watched);
  });

  it('gives a program the time to clean up after SIGTERM, and does not call its exit a crash', async () => {
    const watched = await open();
    const tidy = talking()
      .step({ do: 'writeFile', path: 'index.lock', text: 'held' })
      .onInterrupt('ignore')
      .trap(['SIGINT'])
      .trap(['SIGTERM'], (steps) => steps.sleep(500).step({ do: 'removeFile', path: 'index.lock' }).exit(143))
      .textDelta('m1', ' with a lock')
      .hang();
    const turn = await watched.send(tidy.toMessage());
    await watched.saw('chat:delta', turn, 20_000, ({ text }) => String(text).includes('lock'));
    expect(await interrupt(watched, turn)).toMatchObject({ status: 'interrupted', error: null });
    expect(watched.payloads(turn, 'process:exit')).toMatchObject([{ code: 143, signal: null }]);
    const files = await product.person.call<{ entries?: unknown }>('GET', `/v1/sessions/${watched.id}/files?path=`);
    expect(JSON.stringify(files.body)).not.toContain('index.lock');
    await expectUnharmed(watched);
  });

  it('inside a tool of the real program ends the tool with everything that it started', async () => {
    await product.replaceWorker({ CHIRALITY_CLAUDE_PATH: '' });
    const watched = await open();
    const mark = '86413.7';
    const turn = await watched.send(
      `[[tool Bash {"command":"(setsid sleep ${mark} &) ; trap '' INT TERM ; sleep ${mark}"}]] [[text Slept.]]`,
    );
    await watched.saw('permission:request', turn);
    const [permission] = await product.person.permissions(watched.id);
    await product.person.call('POST', `/v1/sessions/${watched.id}/permissions/${permission?.id}`, {
      decision: 'allow_once',
    });
    await waitFor(() => running(`sleep ${mark}`).length >= 2, { what: 'the tool runs', timeoutMs: 20_000 });
    expect(await interrupt(watched, turn)).toMatchObject({ status: 'interrupted', error: null });
    expect(marked(`sleep ${mark}`)).toEqual([]);
    const next = await watched.run('[[text I am still here.]]');
    expect(next).toMatchObject({ status: 'completed', text: 'I am still here.' });
    await watched.expectLawful();
    watched.close();
  });
});
