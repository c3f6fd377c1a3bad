import type { Envelope, Problem } from '@chirality/contracts';
import { FakeClock, settle } from '../../../test/fake-clock';
import { LiveConnection, type SessionListener } from './live-connection';
import { ScriptedSocket } from '../../../test/scripted-socket';

const SESSION = 'sess_1';

class Reader implements SessionListener {
  ids: number[] = [];
  resets = 0;
  caughtUp = 0;
  refusedWith: Problem | null = null;

  lastEventId = () => this.ids.at(-1) ?? 0;
  onEvents = (events: Envelope[]) => {
    for (const { id } of events) if (id === this.lastEventId() + 1) this.ids.push(id);
  };
  onPresence = () => undefined;
  onRefused = (problem: Problem) => {
    this.refusedWith = problem;
  };
  onReset = () => {
    this.ids = [];
    this.resets += 1;
  };
  onCaughtUp = () => {
    this.caughtUp += 1;
  };
}

function problem(code: Problem['code'], status: number): Problem {
  return { type: '', title: '', status, code, detail: '', requestId: 'req_1' };
}

class SignedOut extends Error {}

function build() {
  const socket = new ScriptedSocket();
  const clock = new FakeClock();
  let generation = 1;
  const tokens = {
    answer: (): Promise<string> => Promise.resolve(`token-${generation}`),
    token: (): Promise<string> => tokens.answer(),
    renew: (): Promise<string> => {
      generation += 1;
      return tokens.answer();
    },
  };
  const live = new LiveConnection({
    socket,
    clock,
    tokens,
    isSignedOut: (error) => error instanceof SignedOut,
    random: () => 1,
  });
  return { socket, clock, tokens, live, reader: new Reader() };
}

async function online() {
  const parts = build();
  const unfollow = parts.live.follow(SESSION, parts.reader);
  await settle();
  parts.socket.accept();
  return { ...parts, unfollow };
}

describe('the live connection', () => {
  it('opens with the token of now and attaches after the last event it has', async () => {
    const { socket, live, reader } = build();
    reader.ids = [1, 2, 3];
    live.follow(SESSION, reader);
    expect(live.status.get()).toBe('connecting');
    await settle();
    expect(socket.connects).toEqual(['token-1']);
    socket.accept();
    expect(live.status.get()).toBe('online');
    expect(socket.attaches).toMatchObject([{ session: SESSION, after: 3 }]);
  });

  it('says that it caught up once everything the log held has come', async () => {
    const { socket, reader } = await online();
    socket.lastAttach.answer({ lastEventId: 3 });
    socket.sayEvents(SESSION, 1, 2);
    expect(reader.caughtUp).toBe(0);
    socket.sayEvents(SESSION, 3, 3);
    expect(reader.caughtUp).toBe(1);
  });

  it('says at once that it caught up with an empty log', async () => {
    const { socket, reader } = await online();
    socket.lastAttach.answer({ lastEventId: 0 });
    expect(reader.caughtUp).toBe(1);
  });

  it('asks again, once, when an event is missing, and passes nothing on after a gap', async () => {
    const { socket, reader } = await online();
    socket.lastAttach.answer({ lastEventId: 2 });
    socket.sayEvents(SESSION, 1, 2);
    socket.sayEvents(SESSION, 5, 6);
    socket.sayEvents(SESSION, 7, 7);
    expect(socket.attaches).toHaveLength(2);
    expect(socket.lastAttach.after).toBe(2);
    socket.lastAttach.answer({ lastEventId: 7 });
    socket.sayEvents(SESSION, 3, 7);
    expect(reader.ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('resumes after the last event when the server sends it away', async () => {
    const { socket, reader } = await online();
    socket.lastAttach.answer({ lastEventId: 2 });
    socket.sayEvents(SESSION, 1, 2);
    socket.say('resync', { session: SESSION, after: 40 });
    expect(socket.lastAttach.after).toBe(reader.lastEventId());
  });

  it('never gives up: it waits longer each time, up to ten seconds, and resumes without a gap', async () => {
    const { socket, clock, live, reader } = await online();
    socket.lastAttach.answer({ lastEventId: 2 });
    socket.sayEvents(SESSION, 1, 2);
    socket.drop();
    expect(live.status.get()).toBe('reconnecting');
    for (let round = 0; round < 200; round++) {
      await clock.advance(10_000);
      socket.refuse();
    }
    expect(socket.connects.length).toBeGreaterThanOrEqual(200);
    await clock.advance(10_000);
    socket.accept();
    expect(live.status.get()).toBe('online');
    expect(socket.lastAttach.after).toBe(2);
    socket.lastAttach.answer({ lastEventId: 3 });
    socket.sayEvents(SESSION, 3, 3);
    expect(reader.ids).toEqual([1, 2, 3]);
  });

  it('resets its backoff after it was online', async () => {
    const { socket, clock } = await online();
    for (let round = 0; round < 6; round++) {
      socket.drop();
      await clock.advance(250);
      expect(socket.connects).toHaveLength(round + 2);
      socket.accept();
    }
  });

  it('tries at once when the page is looked at', async () => {
    const { socket, clock, live } = await online();
    socket.drop();
    for (let round = 0; round < 8; round++) {
      await clock.advance(10_000);
      socket.refuse();
    }
    const before = socket.connects.length;
    live.wake();
    await settle();
    expect(socket.connects).toHaveLength(before + 1);
    live.wake();
    await settle();
    expect(socket.connects).toHaveLength(before + 1);
  });

  it('finds out on waking that the connection is dead', async () => {
    const { socket, clock, live } = await online();
    socket.lastAttach.answer({ lastEventId: 0 });
    live.wake();
    expect(socket.attaches).toHaveLength(2);
    await clock.advance(3_000);
    expect(live.status.get()).toBe('reconnecting');
    await clock.advance(300);
    expect(socket.connects).toHaveLength(2);
  });

  it('renews a token that was refused before it tries again', async () => {
    const { socket, clock } = await online();
    socket.drop();
    await clock.advance(250);
    socket.refuse('UNAUTHENTICATED');
    await clock.advance(1_000);
    expect(socket.connects).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('stops for good only when the person is signed out', async () => {
    const { socket, clock, live, tokens } = await online();
    tokens.answer = () => Promise.reject(new SignedOut());
    socket.drop();
    await clock.advance(60_000);
    expect(live.status.get()).toBe('idle');
    expect(socket.connects).toHaveLength(1);
  });

  it('keeps trying when a token cannot be had for now', async () => {
    const { socket, clock, tokens } = await online();
    const answer = tokens.answer;
    tokens.answer = () => Promise.reject(new Error('no network'));
    socket.drop();
    await clock.advance(60_000);
    tokens.answer = answer;
    await clock.advance(10_000);
    expect(socket.connects).toHaveLength(2);
  });

  it('renews its token when the server says it will expire, and passes on every new one', async () => {
    const { socket, live } = await online();
    socket.say('token:expiring', { expiresAt: '2026-01-01T00:00:00.000Z' });
    await settle();
    live.useToken('token-2');
    expect(socket.refreshed).toEqual(['token-2']);
  });

  it('forgets everything when the log is shorter than what it has', async () => {
    const { socket, reader } = await online();
    reader.ids = [1, 2, 3];
    socket.lastAttach.answer(problem('CURSOR_AHEAD', 400));
    expect(reader.resets).toBe(1);
    expect(socket.lastAttach.after).toBe(0);
  });

  it('asks again after a refusal that passes, and not after one that stays', async () => {
    const { socket, clock, reader } = await online();
    socket.lastAttach.answer(problem('DATABASE_UNAVAILABLE', 503));
    expect(socket.attaches).toHaveLength(1);
    await clock.advance(2_000);
    expect(socket.attaches).toHaveLength(2);
    socket.lastAttach.answer(problem('SESSION_NOT_FOUND', 404));
    await clock.advance(60_000);
    expect(socket.attaches).toHaveLength(2);
    expect(reader.refusedWith?.code).toBe('SESSION_NOT_FOUND');
  });

  it('tells the reader when it may no longer watch', async () => {
    const { socket, reader } = await online();
    socket.lastAttach.answer({ lastEventId: 0 });
    socket.say('session:closed', { session: SESSION, problem: problem('SESSION_NOT_FOUND', 404) });
    socket.sayEvents(SESSION, 1, 1);
    expect(reader.refusedWith?.status).toBe(404);
    expect(reader.ids).toEqual([]);
  });

  it('leaves a session that is no longer followed, and hears a late answer without harm', async () => {
    const { socket, unfollow, reader } = await online();
    unfollow();
    expect(socket.detached).toEqual([SESSION]);
    socket.lastAttach.answer({ lastEventId: 0 });
    expect(reader.caughtUp).toBe(0);
  });
});
