import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Turn } from '@chirality/contracts';
import type { TurnRepository } from '@chirality/database';
import type { Response } from 'express';
import { MemoryLog } from '../../test/feed.fixtures';
import type { FeedRegistry } from '../event/feed-registry';
import { SessionFeed } from '../event/session-feed';
import { TurnWatch } from './turn-watch';

const running = {
  id: 'turn_01J00000000000000000000000',
  sessionId: 'sess_01J00000000000000000000000',
  status: 'running',
} as Turn;

describe('waiting for a turn to end', () => {
  it('does not wait for a client who has gone before it began', async () => {
    const released: string[] = [];
    const feeds = {
      acquire: async (id: string) => new SessionFeed(id, new MemoryLog(), 0),
      release: (id: string) => released.push(id),
    } as unknown as FeedRegistry;
    const watch = new TurnWatch({ find: async () => running } as unknown as TurnRepository, feeds);
    const client = new PassThrough();
    client.destroy();
    await finished(client).catch(() => undefined);
    expect(await watch.untilFinal(running, client as unknown as Response)).toEqual({ turn: running, final: false });
    expect(released).toEqual([running.sessionId]);
  });
});
