import type { Envelope } from '@chirality/contracts';
import fc from 'fast-check';
import { MemoryLog, envelope } from '../../test/feed.fixtures';
import { followFeed, pagesBySize, type Follower } from './follow-feed';
import { SessionFeed } from './session-feed';

const ids = (events: Envelope[]) => events.map((event) => event.id);
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

class Watcher implements Follower {
  readonly seen: Envelope[] = [];
  closed = false;
  live = false;

  constructor(private readonly feed: SessionFeed) {}

  async write(events: Envelope[]): Promise<void> {
    this.seen.push(...events);
    await new Promise((resolve) => setImmediate(resolve));
  }

  goLive(): void {
    this.live = true;
    this.feed.subscribe((events) => this.seen.push(...events));
  }
}

describe('a session feed', () => {
  it('hands each event on once, whatever the bus lost, doubled or reordered', async () => {
    const batches = fc.array(
      fc.record({ size: fc.integer({ min: 1, max: 5 }), lost: fc.boolean(), again: fc.boolean(), late: fc.boolean() }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (plan) => {
        const log = new MemoryLog();
        const feed = new SessionFeed('sess', log, 0);
        const seen: Envelope[] = [];
        feed.subscribe((events) => seen.push(...events));
        const held: Envelope[][] = [];
        for (const batch of plan) {
          const events = log.append(batch.size);
          if (batch.late) held.push(events);
          else if (!batch.lost) feed.offer(events);
          if (batch.again) feed.offer(events);
        }
        held.reverse().forEach((events) => feed.offer(events));
        await feed.catchUp();
        expect(ids(seen)).toEqual(upTo(log.events.length));
      }),
      { numRuns: 200 },
    );
  });

  it('fills a gap from the log before it continues', async () => {
    const log = new MemoryLog();
    const feed = new SessionFeed('sess', log, 0);
    const seen: Envelope[] = [];
    feed.subscribe((events) => seen.push(...events));
    const all = log.append(1_200);
    feed.offer(all.slice(1_000));
    await feed.catchUp();
    expect(ids(seen)).toEqual(upTo(1_200));
  });

  it('asks again until the log is back', async () => {
    const log = new MemoryLog();
    const failures: unknown[] = [];
    const feed = new SessionFeed('sess', log, 0, (error) => {
      failures.push(error);
      log.failing = false;
    });
    log.append(3);
    log.failing = true;
    await feed.catchUp();
    expect([feed.through, failures.length]).toEqual([3, 1]);
  });

  it('tells no one anything once it is closed', async () => {
    const log = new MemoryLog();
    const feed = new SessionFeed('sess', log, 0);
    const seen: Envelope[] = [];
    feed.subscribe((events) => seen.push(...events));
    log.append(3);
    const reading = feed.catchUp();
    feed.close();
    await reading;
    feed.offer(log.append(1));
    expect(seen).toEqual([]);
  });
});

describe('following a feed', () => {
  it('joins at any moment without a gap or a repeat', async () => {
    const plan = fc.record({
      before: fc.integer({ min: 0, max: 1_100 }),
      after: fc.integer({ min: 0, max: 1_100 }),
      during: fc.array(fc.record({ size: fc.integer({ min: 1, max: 9 }), heard: fc.boolean() }), { maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ before, after, during }) => {
        const log = new MemoryLog();
        log.append(before);
        const feed = new SessionFeed('sess', log, before);
        const watcher = new Watcher(feed);
        const cursor = Math.min(after, before);
        const following = followFeed(feed, log, cursor, watcher);
        for (const step of during) {
          const events = log.append(step.size);
          if (step.heard) feed.offer(events);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await following;
        await feed.catchUp();
        expect(watcher.live).toBe(true);
        expect(ids(watcher.seen)).toEqual(upTo(log.events.length).slice(cursor));
      }),
      { numRuns: 60 },
    );
  });

  it('stops when the receiver is gone', async () => {
    const log = new MemoryLog();
    log.append(3_000);
    const feed = new SessionFeed('sess', log, 3_000);
    const watcher = new Watcher(feed);
    watcher.write = async (events) => {
      watcher.seen.push(...events);
      watcher.closed = true;
    };
    await followFeed(feed, log, 0, watcher);
    expect([watcher.live, watcher.seen.length]).toEqual([false, 500]);
  });

  it('splits a page so that no message is much larger than a mebibyte, and an event never', () => {
    const large = [
      envelope(1, 'x'.repeat(900_000)),
      envelope(2, 'x'.repeat(900_000)),
      envelope(3),
      envelope(4, 'x'.repeat(3_000_000)),
      envelope(5),
    ];
    expect(pagesBySize(large).map(ids)).toEqual([[1], [2, 3], [4], [5]]);
    expect(pagesBySize([])).toEqual([]);
  });
});
