import type { Envelope } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { FeedRegistry, type FeedBus } from './feed-registry';
import { MemoryLog } from '../../test/feed.fixtures';

class MemoryBus implements FeedBus {
  readonly handlers = new Map<string, (events: Envelope[]) => void>();
  reconnected: () => void = () => undefined;

  subscribe(sessionId: string, handler: (events: Envelope[]) => void): () => void {
    this.handlers.set(sessionId, handler);
    return () => this.handlers.delete(sessionId);
  }

  onReconnected(handler: () => void): () => void {
    this.reconnected = handler;
    return () => (this.reconnected = () => undefined);
  }
}

describe('the feeds of a process', () => {
  const failures: unknown[] = [];
  let log: MemoryLog;
  let bus: MemoryBus;
  let registry: FeedRegistry;

  beforeEach(() => {
    log = new MemoryLog();
    bus = new MemoryBus();
    failures.length = 0;
    registry = new FeedRegistry(log, bus, (error) => failures.push(error));
  });
  afterEach(() => registry.close());

  it('are shared by all who watch a session', async () => {
    const [one, two] = await Promise.all([registry.acquire('s'), registry.acquire('s')]);
    expect(one).toBe(two);
    expect(registry.size).toBe(1);
  });

  it('keep what the bus said before the log was read', async () => {
    log.append(2);
    const acquiring = registry.acquire('s');
    bus.handlers.get('s')?.(log.append(1));
    const feed = await acquiring;
    await waitFor(() => feed.through === 3, { what: 'the early event counts' });
  });

  it('deliver events that the bus never published', async () => {
    const feed = await registry.acquire('s');
    log.append(4);
    await waitFor(() => feed.through === 4, { what: 'the comparison with the log finds them' });
    expect(failures).toEqual([]);
  });

  it('are read again at once when the bus came back', async () => {
    const feed = await registry.acquire('s');
    log.append(4);
    bus.reconnected();
    await waitFor(() => feed.through === 4, { what: 'the log was read', timeoutMs: 500 });
  });

  it('can be opened again after the log was away', async () => {
    log.failing = true;
    await expect(registry.acquire('s')).rejects.toThrow('away');
    expect(bus.handlers.size).toBe(0);
    log.failing = false;
    expect((await registry.acquire('s')).through).toBe(0);
  });
});
