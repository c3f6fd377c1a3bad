import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import { MemoryLog } from '../../test/feed.fixtures';
import { AccessWatch } from '../access/access-watch';
import type { Principal } from '../access/principal';
import { EventStream } from './event-stream';
import { SessionFeed } from './session-feed';

const SESSION = 'sess_01J00000000000000000000000';
const who = { expiresAtMs: Date.now() + 600_000 } as Principal;

describe('a stream of events', () => {
  const access = new AccessWatch(
    async (person) => person,
    () => true,
    () => undefined,
  );
  afterAll(() => access.close());

  /** The answer to a request whose reader has gone, which it has reported already. */
  async function abandoned(): Promise<ServerResponse> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    request.on('error', () => undefined);
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    request.destroy();
    await once(response, 'close');
    server.close();
    return response;
  }

  it('is over at once for a reader who has gone before it began', async () => {
    const log = new MemoryLog();
    log.append(3);
    const feed = new SessionFeed(SESSION, log, 3);
    const stream = new EventStream({
      response: (await abandoned()) as Response,
      feed,
      source: log,
      after: 0,
      who,
      access,
      still: async () => ({ mayAnswer: true }),
    });
    await stream.run();
    expect(log.reads).toBe(0);
  });
});
