import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Response } from 'express';
import { MessageStream } from './message-stream';
import { MAX_WAITING_BYTES, WaitingBytes } from './waiting-bytes';

const message = (bytes: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'x',
  params: { text: 'x'.repeat(bytes) },
});

describe('bytes that wait for a client', () => {
  it('end a stream whose client does not read, and free its memory', async () => {
    let client: Socket | undefined;
    let server: Server | undefined;
    try {
      const response = await new Promise<Response>((resolve) => {
        server = createServer((_request, answer) => resolve(answer as Response)).listen(0, '127.0.0.1', () => {
          client = connect((server?.address() as AddressInfo).port, '127.0.0.1');
          client.pause();
          client.on('error', () => undefined);
          client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        });
      });
      const stream = new MessageStream(response);
      // The buffers of the system take some megabytes first.
      for (let sent = 0; sent < 1_000 && !stream.left.aborted; sent++) {
        stream.send(message(100_000), 'id');
        expect(response.writableLength).toBeLessThan(MAX_WAITING_BYTES + 200_000);
        await setImmediate();
      }
      expect(stream.left.aborted).toBe(true);
      expect(response.destroyed).toBe(true);
    } finally {
      client?.destroy();
      server?.close();
    }
  });

  it('count what a transport holds back, until the connection takes it', () => {
    const response = { writableNeedDrain: true, writableLength: 0, destroy: jest.fn() };
    const waiting = new WaitingBytes(response);
    const add = (times: number) => {
      for (let each = 0; each < times; each++) waiting.add(message(100_000));
    };
    add(20);
    response.writableNeedDrain = false;
    add(1);
    response.writableNeedDrain = true;
    add(20);
    expect(response.destroy).not.toHaveBeenCalled();
    add(1);
    expect(response.destroy).toHaveBeenCalled();
  });
});
