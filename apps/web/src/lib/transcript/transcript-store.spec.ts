import type { Envelope } from '@chirality/contracts';
import {
  beginEarlierTurns,
  beginTranscriptAt,
  earlierTurnsOf,
  emptyTranscript,
  foldEvents,
  type EarlierTurns,
  type TranscriptState,
} from '@chirality/domain';
import { FakeClock, settle } from '../../../test/fake-clock';
import { ApiError, networkError } from '../http/api-error';
import { TranscriptStore } from './transcript-store';
import { TranscriptStores } from './transcript-stores';

function event(id: number, kind: string, turn: string | null, payload: Record<string, unknown>): Envelope {
  return {
    id,
    kind,
    session: 'sess_1',
    turn,
    originator: { system: true },
    ts: '2026-01-01T00:00:00.000Z',
    payload,
  } as Envelope;
}
const delta = (id: number, turn = 'turn_1') => event(id, 'chat:delta', turn, { messageId: 'm', block: 0, text: 'x' });

/** Three turns of three events each. */
const LOG = [1, 2, 3].flatMap((n) => {
  const [first, turn] = [3 * n - 2, `turn_${n}`];
  return [
    event(first, 'turn:queued', turn, { turnKind: 'message', message: `message ${n}` }),
    event(first + 1, 'tool:start', turn, { toolUseId: 't', name: 'Bash', input: {}, mutating: true }),
    event(first + 2, 'turn:end', turn, { status: 'completed' }),
  ];
});
const fold = (events: readonly Envelope[]) => foldEvents(emptyTranscript(), events);
const NO_FACTS = { events: [], costUsd: '0', unpricedMessages: 0 };
const lastTurn = () => foldEvents(beginTranscriptAt(7, NO_FACTS), LOG.slice(6));

function build() {
  const frames: (() => void)[] = [];
  const followed: string[] = [];
  const clock = new FakeClock();
  const live = {
    follow: (session: string) => {
      followed.push(session);
      return () => void followed.splice(followed.indexOf(session), 1);
    },
  };
  const asked: string[] = [];
  const source = {
    newest: async (sessionId: string): Promise<TranscriptState> => {
      asked.push(sessionId);
      return emptyTranscript();
    },
    earlier: async (_sessionId: string, before: number): Promise<EarlierTurns & { through: number }> => {
      asked.push(`before ${before}`);
      return {
        ...earlierTurnsOf(foldEvents(beginEarlierTurns(before - 3), LOG.slice(before - 4, before - 1)), []),
        through: LOG.length,
      };
    },
  };
  const schedule = (act: () => void) => void frames.push(act);
  const paint = () => frames.splice(0).forEach((act) => act());
  const parts = { live, source, clock, schedule, random: () => 1 };
  return { parts, frames, followed, asked, source, clock, paint, store: new TranscriptStore('sess_1', parts) };
}

/** A store that began with the last of the three turns. */
async function begun() {
  const built = build();
  built.source.newest = async () => lastTurn();
  built.store.watch();
  await settle();
  return built;
}

describe('a transcript that is followed', () => {
  it('tells its viewers once per frame, however much comes', () => {
    const { store, paint, frames } = build();
    let told = 0;
    store.snapshot.subscribe(() => (told += 1));
    for (let id = 1; id <= 100; id++) store.onEvents([delta(id)]);
    expect(frames).toHaveLength(1);
    expect(store.lastEventId()).toBe(100);
    paint();
    expect(told).toBe(1);
    expect(store.snapshot.get().state.turns[0]!.items).toMatchObject([{ text: 'x'.repeat(100) }]);
  });

  it('is followed once, until its last viewer has gone', async () => {
    const { store, followed } = build();
    const first = store.watch();
    const second = store.watch();
    await settle();
    expect(followed).toEqual(['sess_1']);
    first();
    first();
    expect(followed).toEqual(['sess_1']);
    second();
    expect(followed).toEqual([]);
  });

  it('keeps what it has while no one looks, and the most recent ones only', () => {
    const { parts, paint } = build();
    const stores = new TranscriptStores(parts);
    const watched = stores.of('sess_0');
    watched.watch();
    const first = stores.of('sess_1');
    first.onEvents([delta(1)]);
    paint();
    expect(stores.of('sess_1').lastEventId()).toBe(1);
    for (let at = 2; at < 12; at++) stores.of(`sess_${at}`);
    expect(stores.of('sess_0')).toBe(watched);
    expect(stores.of('sess_1')).not.toBe(first);
  });
});

describe('the beginning of a transcript', () => {
  it('is its end: what is there is shown before the session is followed, and is not read again', async () => {
    const { store, asked, followed, paint } = build();
    const leave = store.watch();
    expect(followed).toEqual([]);
    await settle();
    paint();
    expect([store.snapshot.get().phase, followed]).toEqual(['ready', ['sess_1']]);
    store.onEvents([delta(1)]);
    leave();
    store.watch();
    expect([asked, followed]).toEqual([['sess_1'], ['sess_1']]);
  });

  it('is tried again until it comes, and not once the viewer has gone', async () => {
    const { store, source, clock, followed, paint } = build();
    let failures = 0;
    const { newest } = source;
    source.newest = async () => {
      failures += 1;
      throw failures < 4
        ? networkError()
        : new ApiError({ status: 503, code: 'DATABASE_UNAVAILABLE', detail: 'Try again.' });
    };
    const leave = store.watch();
    await clock.advance(60_000);
    expect(failures).toBeGreaterThan(5);
    expect(followed).toEqual([]);
    paint();
    expect(store.snapshot.get()).toMatchObject({ phase: 'loading', loadError: { code: 'DATABASE_UNAVAILABLE' } });
    leave();
    const before = failures;
    await clock.advance(60_000);
    expect(failures).toBe(before);
    source.newest = newest;
    store.watch();
    await settle();
    expect(followed).toEqual(['sess_1']);
    paint();
    expect(store.snapshot.get()).toMatchObject({ phase: 'ready', loadError: null });
  });

  it('is refused for good where the session may not be seen', async () => {
    const { store, source, clock, followed, paint } = build();
    let asked = 0;
    source.newest = async () => {
      asked += 1;
      throw new ApiError({ status: 404, code: 'SESSION_NOT_FOUND', detail: 'There is no such session.' });
    };
    store.watch();
    await clock.advance(60_000);
    paint();
    expect(store.snapshot.get()).toMatchObject({ phase: 'refused', refusal: { detail: 'There is no such session.' } });
    expect([asked, followed]).toEqual([1, []]);
  });

  it('is nothing for a viewer who left before it came', async () => {
    const { store, followed, asked } = build();
    store.watch()();
    await settle();
    expect([asked, followed, store.snapshot.get().phase]).toEqual([['sess_1'], [], 'loading']);
  });
});

describe('earlier turns', () => {
  it('are put before the others, page by page, until all are there', async () => {
    const { store, asked, paint } = await begun();
    paint();
    expect(store.snapshot.get().state.turns).toMatchObject([{ message: 'message 3' }]);
    const [first, same] = [store.loadEarlier(), store.loadEarlier()];
    paint();
    expect(store.snapshot.get().isLoadingEarlier).toBe(true);
    store.onEvents([event(10, 'session:update', null, { changes: { title: 'T' } })]);
    expect(await Promise.all([first, same])).toEqual([true, true]);
    expect(await store.loadEarlier()).toBe(true);
    expect(await store.loadEarlier()).toBe(false);
    expect(asked).toEqual(['before 7', 'before 4']);
    paint();
    expect(store.snapshot.get().isLoadingEarlier).toBe(false);
    expect(store.snapshot.get().state).toEqual(
      fold([...LOG, event(10, 'session:update', null, { changes: { title: 'T' } })]),
    );
  });

  it('say why they could not be loaded, and are there once they can', async () => {
    const { store, source, paint } = await begun();
    const { earlier } = source;
    source.earlier = () => Promise.reject(networkError());
    expect(await store.loadEarlier()).toBe(false);
    paint();
    expect(store.snapshot.get()).toMatchObject({ isLoadingEarlier: false, earlierError: networkError() });
    source.earlier = earlier;
    expect(await store.loadEarlier()).toBe(true);
    paint();
    expect(store.snapshot.get()).toMatchObject({
      isLoadingEarlier: false,
      earlierError: null,
      state: { firstEventId: 4 },
    });
  });

  it('are read again where a person spoke of their tools after they were read', async () => {
    const { store, source, paint } = await begun();
    const word = event(10, 'tool:outcome', null, {
      turnId: 'turn_2',
      toolUseId: 't',
      name: 'Bash',
      outcome: 'failed',
      by: { userId: 'user_1', name: 'Ada' },
    });
    const page = foldEvents(beginEarlierTurns(4), LOG.slice(3, 6));
    const pages = [[], [word]].map((later) => ({ ...earlierTurnsOf(page, later), through: LOG.length + later.length }));
    source.earlier = async () => {
      store.onEvents([word]);
      return pages.shift()!;
    };
    await store.loadEarlier();
    paint();
    expect(store.snapshot.get().state.turns[0]).toMatchObject({ id: 'turn_2', items: [{ word: { by: 'Ada' } }] });
  });

  it('could not be loaded where they are behind that word the second time too', async () => {
    const { store, source, asked, paint } = await begun();
    const { earlier } = source;
    store.onEvents([
      event(10, 'tool:outcome', null, {
        turnId: 'turn_2',
        toolUseId: 't',
        name: 'Bash',
        outcome: 'failed',
        by: { userId: 'user_1', name: 'Ada' },
      }),
    ]);
    expect(await store.loadEarlier()).toBe(false);
    paint();
    expect(asked).toEqual(['before 7', 'before 7']);
    expect(store.snapshot.get()).toMatchObject({
      isLoadingEarlier: false,
      earlierError: new Error('The server answered with an older state. Try again in a moment.'),
      state: { firstEventId: 7 },
    });
    source.earlier = async (sessionId, before) => ({ ...(await earlier(sessionId, before)), through: 10 });
    expect(await store.loadEarlier()).toBe(true);
  });

  it('are dropped where everything was forgotten meanwhile', async () => {
    const { store, source, paint } = await begun();
    const { earlier } = source;
    source.earlier = (sessionId, before) => {
      store.onReset();
      return earlier(sessionId, before);
    };
    expect(await store.loadEarlier()).toBe(false);
    paint();
    expect(store.snapshot.get().state).toEqual(emptyTranscript());
  });
});
