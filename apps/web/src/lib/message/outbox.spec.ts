import type { QueueItem, Turn } from '@chirality/contracts';
import { FakeClock, settle } from '../../../test/fake-clock';
import { ApiError, networkError } from '../http/api-error';
import type { KeyValueStore } from '../state/storage';
import { KEY_LIFE_MS, Outbox, type OutboxEntry } from './outbox';

class MemoryStore implements KeyValueStore {
  readonly values = new Map<string, string>();
  room = Infinity;
  get = (key: string) => this.values.get(key) ?? null;
  set = (key: string, value: string) => value.length <= this.room && this.values.set(key, value).has(key);
  remove = (key: string) => void this.values.delete(key);
  keys = (prefix: string) => [...this.values.keys()].filter((key) => key.startsWith(prefix));
}

/** A server that starts one turn per key, and whose answers may be lost on the way. */
class Server {
  readonly turns = new Map<string, Turn>();
  requests: string[] = [];
  answer: 'arrives' | 'is-lost' | ApiError = 'arrives';

  accept = async (entry: OutboxEntry): Promise<Turn> => {
    this.requests.push(entry.key);
    await Promise.resolve();
    if (this.answer instanceof ApiError) throw this.answer;
    const turn = this.turns.get(entry.key) ?? ({ id: `turn_${this.turns.size + 1}` } as Turn);
    this.turns.set(entry.key, turn);
    if (this.answer === 'is-lost') throw networkError();
    return turn;
  };
}

function build(store = new MemoryStore(), server = new Server(), clock = new FakeClock()) {
  let made = store.values.size;
  const send = async (entry: OutboxEntry) => ({ turn: await server.accept(entry) });
  const open = () => new Outbox({ store, prefix: 'outbox.user_1.', clock, newKey: () => `key-${(made += 1)}`, send });
  return { store, server, clock, open, outbox: open() };
}

const statuses = (outbox: Outbox) => outbox.entries.get().map(({ status }) => status);

describe('the outbox', () => {
  it('forgets a message that waits in the queue of its session, and sends the next one', async () => {
    const asked: OutboxEntry[] = [];
    const store = new MemoryStore();
    const outbox = new Outbox({
      store,
      prefix: 'outbox.user_1.',
      clock: new FakeClock(),
      newKey: () => `key-${asked.length}-${store.values.size}`,
      send: async (entry) => {
        asked.push(entry);
        return { item: { id: `item_${asked.length}` } as QueueItem };
      },
    });
    outbox.add('sess_1', 'Hello', {}, [], [], null, 'queue');
    await settle();
    outbox.add('sess_1', 'Now', {}, [], [], null, 'interrupt');
    await settle();
    expect(asked.map(({ message, whenBusy }) => [message, whenBusy])).toEqual([
      ['Hello', 'queue'],
      ['Now', 'interrupt'],
    ]);
    expect(outbox.entries.get()).toEqual([]);
    expect(store.values.size).toBe(0);
  });

  it('sends a message once and keeps it until its turn is seen', async () => {
    const { outbox, server, store } = build();
    outbox.add('sess_1', 'Hello', {});
    await settle();
    expect(outbox.entries.get()).toMatchObject([{ status: 'accepted', turnId: 'turn_1' }]);
    expect(store.values.size).toBe(0);
    outbox.seen('turn_1');
    expect(outbox.entries.get()).toEqual([]);
    expect(server.requests).toEqual(['key-1']);
  });

  it('repeats with the same key when the answer was lost, and starts one turn', async () => {
    const { outbox, server, clock } = build();
    server.answer = 'is-lost';
    outbox.add('sess_1', 'Hello', {});
    await clock.advance(60_000);
    server.answer = 'arrives';
    await clock.advance(10_000);
    expect(new Set(server.requests)).toEqual(new Set(['key-1']));
    expect(server.requests.length).toBeGreaterThan(3);
    expect(server.turns.size).toBe(1);
    expect(statuses(outbox)).toEqual(['accepted']);
  });

  it('does not send what the server may have taken a day ago, also in a page that slept meanwhile', async () => {
    const { outbox, server, clock, open } = build();
    server.answer = 'is-lost';
    outbox.add('sess_1', 'Hello', {});
    outbox.add('sess_1', 'And this', {});
    await settle();
    const sent = server.requests.length;
    clock.sleep(KEY_LIFE_MS + 1);
    server.answer = 'arrives';
    outbox.wake();
    await settle();
    expect(server.requests).toHaveLength(sent);
    expect(outbox.entries.get()).toMatchObject([
      { status: 'refused', refusal: { code: 'EXPIRED' } },
      { status: 'refused', refusal: { code: 'EXPIRED' } },
    ]);
    outbox.close();
    expect(statuses(open())).toEqual(['refused', 'refused']);
  });

  it('resumes what was not confirmed after a reload', async () => {
    const first = build();
    first.server.answer = 'is-lost';
    first.outbox.add('sess_1', 'Hello', { model: 'opus' });
    await settle();
    first.outbox.close();

    first.server.answer = 'arrives';
    const reloaded = first.open();
    expect(reloaded.entries.get()).toMatchObject([{ key: 'key-1', message: 'Hello', options: { model: 'opus' } }]);
    await settle();
    expect(statuses(reloaded)).toEqual(['accepted']);
    expect(first.server.turns.size).toBe(1);
    expect(first.open().entries.get()).toEqual([]);
  });

  it('does not send automatically what waited longer than the server remembers keys', async () => {
    const first = build();
    first.server.answer = 'is-lost';
    first.outbox.add('sess_1', 'Hello', {});
    await settle();
    first.outbox.close();
    await first.clock.advance(KEY_LIFE_MS + 1);
    const sent = first.server.requests.length;
    const reloaded = first.open();
    await settle();
    expect(reloaded.entries.get()).toMatchObject([{ status: 'refused', refusal: { code: 'EXPIRED' } }]);
    expect(first.server.requests).toHaveLength(sent);
  });

  it('keeps a refused message, also over a reload, and sends it again only when asked, as a new request', async () => {
    const { outbox, server, open } = build();
    server.answer = new ApiError({
      status: 409,
      code: 'TURN_IN_PROGRESS',
      detail: 'Bo is at it.',
      problem: { since: 'x' },
    });
    outbox.add('sess_1', 'Hello', {});
    await settle();
    expect(outbox.entries.get()).toMatchObject([
      { status: 'refused', refusal: { code: 'TURN_IN_PROGRESS', detail: 'Bo is at it.', problem: { since: 'x' } } },
    ]);
    expect(statuses(open())).toEqual(['refused']);
    server.answer = 'arrives';
    outbox.sendAgain('key-1');
    await settle();
    expect(outbox.entries.get()).toMatchObject([{ key: 'key-2', status: 'accepted', message: 'Hello' }]);
    expect(open().entries.get()).toEqual([]);
  });

  it('sends the messages of one session in order and those of others meanwhile', async () => {
    const { outbox, server, clock } = build();
    server.answer = 'is-lost';
    outbox.add('sess_1', 'one', {});
    outbox.add('sess_1', 'two', {});
    outbox.add('sess_2', 'three', {});
    await settle();
    expect(server.requests).toEqual(['key-1', 'key-3']);
    server.answer = 'arrives';
    await clock.advance(10_000);
    expect(statuses(outbox)).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('tries at once when the network is back', async () => {
    const { outbox, server, clock } = build();
    server.answer = networkError();
    outbox.add('sess_1', 'Hello', {});
    await clock.advance(100_000);
    const tried = server.requests.length;
    server.answer = 'arrives';
    outbox.wake();
    await settle();
    expect(server.requests).toHaveLength(tried + 1);
    expect(statuses(outbox)).toEqual(['accepted']);
  });

  it('waits as long as the server asks for', async () => {
    const { outbox, server, clock } = build();
    server.answer = new ApiError({ status: 429, code: 'RATE_LIMITED', detail: 'Slow down.', retryAfterMs: 30_000 });
    outbox.add('sess_1', 'Hello', {});
    await clock.advance(29_000);
    expect(server.requests).toHaveLength(1);
  });

  it('knows which messages a reload would lose, until there is room for them', async () => {
    const { outbox, server, store, open } = build();
    server.answer = networkError();
    store.room = 0;
    outbox.add('sess_1', 'Hello', {});
    await settle();
    expect([outbox.unkept.map(({ message }) => message), open().entries.get()]).toEqual([['Hello'], []]);
    store.room = Infinity;
    outbox.keep();
    expect([outbox.unkept, open().entries.get()]).toMatchObject([[], [{ message: 'Hello', isKept: true }]]);
  });

  it.each(['accepted', 'discarded'])('stores what had no room once another message is %s', async (how) => {
    const { outbox, server, store } = build();
    const refusal = new ApiError({ status: 403, code: 'FORBIDDEN', detail: 'No.' });
    server.answer = how === 'accepted' ? networkError() : refusal;
    const first = outbox.add('sess_1', 'First', {});
    await settle();
    server.answer = networkError();
    store.room = 0;
    outbox.add('sess_2', 'Second', {});
    await settle();
    expect(outbox.unkept.map(({ message }) => message)).toEqual(['Second']);
    store.room = Infinity;
    if (how === 'discarded') outbox.discard(first.key);
    else {
      server.accept = async (entry) => {
        if (entry.sessionId === 'sess_2') throw networkError();
        return { id: 'turn_1' } as Turn;
      };
      outbox.wake();
    }
    await settle();
    const stored = [...store.values.values()].map((value) => (JSON.parse(value) as OutboxEntry).message);
    expect([outbox.unkept, stored]).toEqual([[], ['Second']]);
    outbox.close();
  });

  it('remembers where pasted texts stand in a message, also when it is sent again', async () => {
    const { outbox, server, open } = build();
    server.answer = new ApiError({ status: 409, code: 'TURN_IN_PROGRESS', detail: 'Bo is at it.' });
    outbox.add('sess_1', 'Read this: text', {}, [[11, 15]]);
    await settle();
    const reloaded = open();
    reloaded.sendAgain(reloaded.entries.get()[0]!.key);
    await settle();
    expect(reloaded.entries.get()).toMatchObject([{ message: 'Read this: text', folds: [[11, 15]] }]);
  });

  it('ignores what it cannot read', () => {
    const store = new MemoryStore();
    store.set('outbox.user_1.x', '{"half');
    store.set('outbox.user_2.y', '{}');
    const { outbox } = build(store);
    expect(outbox.entries.get()).toEqual([]);
    expect([...store.values.keys()]).toEqual(['outbox.user_2.y']);
  });
});
