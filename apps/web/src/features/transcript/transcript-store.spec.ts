import type { Envelope } from '@chirality/contracts';
import { TranscriptStore } from './transcript-store';
import { TranscriptStores } from './transcript-stores';

function build() {
  const frames: (() => void)[] = [];
  const followed: string[] = [];
  const live = {
    follow: (session: string) => {
      followed.push(session);
      return () => void followed.splice(followed.indexOf(session), 1);
    },
  };
  const schedule = (act: () => void) => void frames.push(act);
  const paint = () => frames.splice(0).forEach((act) => act());
  return { frames, followed, live, schedule, paint };
}

function delta(id: number): Envelope {
  return {
    id,
    kind: 'chat:delta',
    session: 'sess_1',
    turn: 'turn_1',
    originator: { system: true },
    ts: '2026-01-01T00:00:00.000Z',
    payload: { messageId: 'm', block: 0, text: 'x' },
  };
}

describe('a transcript that is followed', () => {
  it('tells its viewers once per frame, however much comes', () => {
    const { live, schedule, paint, frames } = build();
    const store = new TranscriptStore('sess_1', live, schedule);
    let told = 0;
    store.snapshot.subscribe(() => (told += 1));
    for (let id = 1; id <= 100; id++) store.onEvents([delta(id)]);
    expect(frames).toHaveLength(1);
    expect(store.lastEventId()).toBe(100);
    paint();
    expect(told).toBe(1);
    expect(store.snapshot.get().state.turns[0]!.items).toMatchObject([{ text: 'x'.repeat(100) }]);
  });

  it('is followed once, until its last viewer has gone', () => {
    const { live, schedule, followed } = build();
    const store = new TranscriptStore('sess_1', live, schedule);
    const first = store.watch();
    const second = store.watch();
    expect(followed).toEqual(['sess_1']);
    first();
    first();
    expect(followed).toEqual(['sess_1']);
    second();
    expect(followed).toEqual([]);
  });

  it('keeps what it has while nobody looks, and the most recent ones only', () => {
    const { live, schedule, paint } = build();
    const stores = new TranscriptStores(live, schedule);
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
