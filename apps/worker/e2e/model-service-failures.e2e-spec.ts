import type { Turn } from '@chirality/contracts';
import { MODEL_KEY } from '@chirality/testing';
import { limits, startFaultStack, type FaultStack } from './support/fault-stack';
import { untilGone } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(180_000);

/** As many times as the program retries, and once more. */
const WHOLE_RETRIES = 4;

describe('the model’s service fails', () => {
  let product: FaultStack;

  beforeAll(async () => {
    product = await startFaultStack({
      env: { CHIRALITY_PARKED_MS: '0', CHIRALITY_WORKER_SLOTS: '4', ...limits({ silenceMs: 12_000 }) },
    });
  });
  afterAll(() => product?.stop());

  type Played = { turn: Turn; watched: WatchedSession; tookMs: number };

  async function play(message: string): Promise<Played> {
    const watched = await WatchedSession.open(product.person, product.projectId);
    const from = performance.now();
    const turn = await watched.run(message, 90_000);
    return { turn, watched, tookMs: performance.now() - from };
  }

  /** All at once: most of their time is waiting between retries. */
  const playAll = async <K extends string>(messages: Record<K, string>) =>
    Object.fromEntries(
      await Promise.all(Object.entries<string>(messages).map(async ([name, message]) => [name, await play(message)])),
    ) as Record<K, Played>;

  /** The failure is in words for people and holds no key; nothing is left; the session continues. */
  async function expectHonest({ turn, watched }: Played): Promise<void> {
    if (turn.error) {
      expect(turn.error.detail).toMatch(/^[A-Z].{20,}/);
      expect(watched.payloads(turn, 'session:error')).toMatchObject([
        { code: turn.error.code, detail: turn.error.detail },
      ]);
    }
    expect(JSON.stringify(watched.live)).not.toContain(MODEL_KEY);
    await untilGone(watched.id);
    const next = await watched.run('[[text We can continue.]]', 60_000);
    expect(next).toMatchObject({ status: 'completed', text: 'We can continue.' });
    await watched.expectLawful();
    watched.close();
  }

  it('for good: each failure has its own code and text, after a bounded number of tries', async () => {
    const played = await playAll({
      wrongKey: '[[error 401]]',
      forbidden: '[[error 403]]',
      limited: '[[error 429]]',
      overloaded: '[[error 529]]',
      broken: '[[error 500]]',
      refused: '[[refusal]]',
      tooLong: '[[too_long]]',
      nonsense: '[[html]]',
    });
    const seen = Object.fromEntries(
      Object.entries(played).map(([name, { turn, watched }]) => [
        name,
        {
          status: turn.status,
          code: turn.error?.code,
          text: turn.text,
          retries: watched.payloads(turn, 'turn:retry').length,
        },
      ]),
    );
    expect(seen).toEqual({
      wrongKey: { status: 'failed', code: 'MODEL_AUTH_FAILED', text: '', retries: 0 },
      forbidden: { status: 'failed', code: 'MODEL_AUTH_FAILED', text: '', retries: 0 },
      limited: { status: 'failed', code: 'MODEL_RATE_LIMITED', text: '', retries: WHOLE_RETRIES },
      overloaded: { status: 'failed', code: 'MODEL_OVERLOADED', text: '', retries: WHOLE_RETRIES },
      broken: { status: 'failed', code: 'MODEL_UNREACHABLE', text: '', retries: WHOLE_RETRIES },
      refused: { status: 'failed', code: 'MODEL_REFUSED', text: '', retries: 0 },
      tooLong: { status: 'failed', code: 'PROMPT_TOO_LONG', text: '', retries: 0 },
      nonsense: { status: 'failed', code: 'MODEL_UNREACHABLE', text: '', retries: 0 },
    });
    expect(played.overloaded.watched.payloads(played.overloaded.turn, 'turn:retry')[0]).toMatchObject({
      attempt: 1,
      maxRetries: WHOLE_RETRIES,
      status: 529,
    });
    await Promise.all(Object.values(played).map(expectHonest));
    process.stderr.write(`a wrong key is reported after ${Math.round(played.wrongKey.tookMs)} ms\n`);
  });

  it('for a moment: the turn completes with the words of the second try alone', async () => {
    const played = await playAll({
      overloaded: '[[error 529 times=1]] [[text Here is the whole answer.]]',
      limited: '[[error 429 times=1 retry_after=1]] [[text Here is the whole answer.]]',
      cut: '[[cut after=5 times=1]] [[text Here is the whole answer.]]',
    });
    for (const one of Object.values(played)) {
      const { turn, watched } = one;
      expect(turn).toMatchObject({ status: 'completed', text: 'Here is the whole answer.', error: null, attempt: 1 });
      expect(watched.payloads(turn, 'turn:retry').length).toBeGreaterThan(0);
      const completed = watched.payloads(turn, 'session:complete');
      expect(completed).toMatchObject([{ text: 'Here is the whole answer.' }]);
      await expectHonest(one);
    }
    const { turn, watched } = played.cut;
    const half = watched
      .payloads(turn, 'chat:delta')
      .find(({ text }) => !'Here is the whole answer.'.includes(String(text)));
    if (half) expect(watched.payloads(turn, 'chat:withdrawn')).toMatchObject([{ messageId: half['messageId'] }]);
  });

  it('by falling silent: the turn is given up after the limit, with what was said', async () => {
    const played = await playAll({
      stalled: '[[stall after=3 Words before the silence came over us]]',
      hanging: '[[hang]]',
    });
    expect(played.stalled.turn).toMatchObject({ status: 'timed_out', error: { code: 'SILENCE_TIMEOUT' } });
    expect(played.stalled.turn.text).toMatch(/^Words before/);
    expect(played.hanging.turn).toMatchObject({ status: 'timed_out', error: { code: 'SILENCE_TIMEOUT' }, text: '' });
    await Promise.all(Object.values(played).map(expectHonest));
  });

  it('by not being there: the turn says so, and the next worker that reaches it continues', async () => {
    await product.replaceWorker({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' });
    const watched = await WatchedSession.open(product.person, product.projectId);
    const turn = await watched.run('Hello?', 90_000);
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'MODEL_UNREACHABLE' }, text: '' });
    expect(watched.payloads(turn, 'turn:retry')).toHaveLength(WHOLE_RETRIES);
    await product.replaceWorker({});
    await expectHonest({ turn, watched, tookMs: 0 });
  });
});
