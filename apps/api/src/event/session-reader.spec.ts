import type { Envelope } from '@chirality/contracts';
import { MemoryLog } from '../../test/feed.fixtures';
import type { AccessWatch, WatchedAccess } from '../access/access-watch';
import type { Principal } from '../access/principal';
import { SessionFeed } from './session-feed';
import { SessionReader } from './session-reader';

const WHO = { expiresAtMs: Date.now() + 3_600_000 } as Principal;
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};

describe('a reader of a session', () => {
  let log: MemoryLog;
  let feed: SessionFeed;
  let seen: number[];
  let watched: WatchedAccess[];
  let leaving: AbortController;

  beforeEach(() => {
    log = new MemoryLog();
    log.append(3);
    feed = new SessionFeed('sess', log, 3);
    seen = [];
    watched = [];
    leaving = new AbortController();
  });

  const read = (onEvents: (events: Envelope[]) => void | Promise<void>, after = 0) =>
    new SessionReader({
      feed,
      source: log,
      access: { watch: (access: WatchedAccess) => (watched.push(access), () => undefined) } as unknown as AccessWatch,
      who: WHO,
      after,
      signal: leaving.signal,
      still: () => Promise.resolve({ mayAnswer: false }),
      onEvents,
    });
  const note = (events: Envelope[]) => void seen.push(...events.map(({ id }) => id));

  it('gets what was, then what comes, and stops when it leaves', async () => {
    const running = read(note, 1).run();
    await until(() => seen.length === 2);
    feed.offer(log.append(2));
    expect(seen).toEqual([2, 3, 4, 5]);
    leaving.abort();
    expect(await running).toBe('aborted');
    feed.offer(log.append(1));
    expect(seen).toEqual([2, 3, 4, 5]);
  });

  it('reads from the log what came while it was full, each event once', async () => {
    let makeRoom: () => void = () => undefined;
    const running = read((events) => {
      note(events);
      if (seen.length < 4) return;
      return seen.length === 4 ? new Promise((resolve) => (makeRoom = resolve)) : undefined;
    }).run();
    await until(() => seen.length === 3);
    feed.offer(log.append(1));
    for (let n = 0; n < 5; n++) feed.offer(log.append(1));
    expect(seen).toEqual([1, 2, 3, 4]);
    makeRoom();
    await until(() => seen.length === 9);
    feed.offer(log.append(1));
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    leaving.abort();
    await running;
  });

  it('ends for who may no longer see it, and when the server stops', async () => {
    const first = read(note);
    const running = first.run();
    watched[0]?.end('no-access');
    expect(await running).toBe('no-access');
    const second = read(note);
    const other = second.run();
    second.stop();
    expect(await other).toBe('stopping');
  });

  it('fails with the log', async () => {
    log.failing = true;
    await expect(read(note).run()).rejects.toThrow('the log is away');
  });
});
