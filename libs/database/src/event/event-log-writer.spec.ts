import type { NewEvent } from '@chirality/contracts';
import type { Pool } from 'pg';
import { EventLogClosedError } from './append-item';
import { EventLogWriter } from './event-log-writer';

const large: NewEvent = {
  kind: 'custom',
  turn: null,
  originator: { system: true },
  payload: { namespace: 'test', name: 'n', data: 'x'.repeat(100_000) },
};
const item = { sessionId: 'sess_1', fence: null, events: [large] };

describe('a store for large payloads that hangs', () => {
  let connected: number;
  let writer: EventLogWriter;
  beforeEach(() => {
    jest.useFakeTimers();
    connected = 0;
    const pool = { connect: () => ((connected += 1), new Promise(() => undefined)) } as unknown as Pool;
    writer = new EventLogWriter({ pool, onCommitted: () => undefined, spill: () => new Promise(() => undefined) });
  });
  afterEach(() => jest.useRealTimers());

  it('does not hold up the log for good', async () => {
    void writer.append(item);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(connected).toBe(0);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(connected).toBe(1);
  });

  it('does not hold up its end', async () => {
    const appended = writer.append(item).catch((error: Error) => error);
    const closed = writer.close(100);
    await jest.advanceTimersByTimeAsync(200);
    await closed;
    expect(await appended).toBeInstanceOf(EventLogClosedError);
  });
});
