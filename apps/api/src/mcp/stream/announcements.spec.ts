import { Announcements } from './announcements';

const OF = { uri: 'chirality://v1/session/sess/events', sessionId: 'sess', sinceEventId: 3 };

describe('announcements', () => {
  let reads: number[];
  let onRead: (onEvents: (lastId: number) => void) => Promise<unknown>;
  let announcements: Announcements;

  beforeEach(() => {
    jest.useFakeTimers();
    reads = [];
    announcements = new Announcements({
      read: ({ sinceEventId }, _signal, onEvents) => {
        reads.push(sinceEventId);
        return onRead(onEvents);
      },
      send: () => undefined,
    });
  });
  afterEach(() => {
    announcements.close();
    jest.useRealTimers();
  });

  /** Looks once a second, as the server does. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      announcements.keep([OF]);
      await jest.advanceTimersByTimeAsync(1_000);
    }
  };

  it('begin a reading that fails ever more seldom, at least once a minute', async () => {
    onRead = () => Promise.reject(new Error('gone'));
    await pass(60);
    expect(reads.length).toBeGreaterThanOrEqual(4);
    expect(reads.length).toBeLessThanOrEqual(7);
    await pass(120);
    expect(reads.length).toBeLessThanOrEqual(10);
  });

  it('begin again soon after an event, behind what was announced', async () => {
    onRead = (onEvents) => {
      onEvents(7);
      return new Promise((resolve) => setTimeout(resolve, 500));
    };
    await pass(4);
    expect(reads.slice(0, 2)).toEqual([3, 7]);
  });

  it('begin at once for a subscription that was ended meanwhile and made again', async () => {
    onRead = () => Promise.reject(new Error('gone'));
    await pass(20);
    const before = reads.length;
    announcements.keep([]);
    announcements.keep([OF]);
    expect(reads).toHaveLength(before + 1);
  });
});
