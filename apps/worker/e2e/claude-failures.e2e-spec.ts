// Runs alone: it measures how soon a failure is noticed.
import { fakeClaude } from '@chirality/testing';
import { expectContinues, FakeClaudeStack, says, took } from './support/fake-claude-stack';
import { marked, untilGone } from './support/process-scan';

jest.setTimeout(120_000);

const SECRET =
  'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-AAAAAAAA';

describe('a claude that fails', () => {
  let claude: FakeClaudeStack;
  beforeAll(async () => (claude = await FakeClaudeStack.start()));
  afterAll(() => claude?.stop());

  it('by saying why on stderr and leaving shows the last of it, masked, at once', async () => {
    const turn = await claude.play(
      fakeClaude().stderr(`loading\nerror: libssl.so.9 not found (key ${SECRET})\n`).exit(127),
    );
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'HARNESS_FAILURE' }, attempt: 1 });
    expect(turn.error?.detail).toContain('exit code 127');
    expect(turn.error?.detail).toContain('libssl.so.9 not found');
    expect(turn.error?.detail).not.toContain(SECRET.slice(0, 30));
    expect(took(turn)).toBeLessThan(5_000);
  });

  it('by leaving before it reads anything', async () => {
    const watched = await claude.open();
    const script = JSON.stringify({
      start: [
        { do: 'removeFile', path: '.fake-claude.json' },
        { do: 'exit', code: 0 },
      ],
    });
    await watched.run(says('ok').step({ do: 'writeFile', path: '.fake-claude.json', text: script }).toMessage());
    const turn = await watched.run(says('never said').toMessage());
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'HARNESS_FAILURE' }, text: '' });
    await expectContinues(watched);
  });

  it('by saying nothing at all is given up after the start limit', async () => {
    const turn = await claude.play(fakeClaude().hang());
    expect(turn).toMatchObject({ status: 'timed_out', error: { code: 'START_TIMEOUT' } });
  });

  it('by falling silent is given up after the silence limit, with its text', async () => {
    const turn = await claude.play(fakeClaude().init().text('m1', 'Then nothing').hang());
    expect(turn).toMatchObject({ status: 'timed_out', error: { code: 'SILENCE_TIMEOUT' }, text: 'Then nothing' });
  });

  it('by never ending after its result is complete for the viewer at once, and is ended later', async () => {
    const watched = await claude.open();
    const turn = await watched.send(says('Done.').step({ do: 'ignoreStdinEnd' }).hang().toMessage());
    await watched.saw('session:complete', turn);
    const ended = await watched.end(turn);
    expect(ended).toMatchObject({ status: 'completed', text: 'Done.', error: null, degraded: false });
    await untilGone(watched.id);
    await expectContinues(watched);
  });

  it('by leaving without a result keeps its text and is not run again', async () => {
    const turn = await claude.play(fakeClaude().init().text('m1', 'All the work').exit(0), (watched, turn) => {
      expect({ attempt: turn.attempt, starts: watched.payloads(turn, 'turn:start').length }).toEqual({
        attempt: 1,
        starts: 1,
      });
    });
    expect(turn).toMatchObject({
      status: 'failed',
      error: { code: 'NO_RESULT' },
      text: 'All the work',
      degraded: true,
    });
  });

  it('by an empty result completes with the text of its blocks', async () => {
    const turn = await claude.play(fakeClaude().init().text('m1', 'The whole answer').result({ result: '' }));
    expect(turn).toMatchObject({ status: 'completed', text: 'The whole answer', degraded: true, error: null });
  });

  it('by leaving children and a listener behind: all is gone with the turn', async () => {
    const mark = '87654.3';
    const steps = fakeClaude()
      .init()
      .spawn(['sleep', mark], { setsid: true })
      .spawn(['sleep', mark], { setsid: true, holdsOutput: true })
      .step({ do: 'listen', port: 4711 });
    const turn = await claude.play(steps.text('m1', 'Left some').result(), async (watched) => {
      expect(marked(`sleep ${mark}`)).toEqual([]);
      const again = await watched.run(
        fakeClaude().init().step({ do: 'listen', port: 4711 }).text('m2', 'Listening').result().toMessage(),
      );
      expect(again).toMatchObject({ status: 'completed', text: 'Listening' });
    });
    expect(turn).toMatchObject({ status: 'completed', text: 'Left some' });
    // What holds the pipe open does not hold the turn open.
    expect(took(turn)).toBeLessThan(5_000);
  });

  it('leaves no fault in the worker’s log', () => claude.expectNoFaultLogged());
});
