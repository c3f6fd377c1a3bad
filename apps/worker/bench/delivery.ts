import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventsMessage } from '@chirality/contracts';
import { TestClient, OWNER, type Stack } from '@chirality/testing';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import type { Product } from './product';
import { ratioRow, type Row } from './report';

const VIEWERS = 100;

/** Events delivered a second to 100 viewers of one session, beside a server that only emits the same messages to a room. */
export async function measureDelivery(stack: Stack, product: Product, quick: boolean): Promise<Row[]> {
  const session = await product.openSession();
  await product.run(session, '[[text Warm.]]');
  const token = (await TestClient.login(stack.url, OWNER.email, OWNER.password)).token;
  const sockets = await openSockets(stack.url, { token });
  const after = (await product.client.session(session)).lastEventId;
  await Promise.all(sockets.map((socket) => socket.emitWithAck('session:attach', { session, after })));
  const messages: EventsMessage[] = [];
  sockets[0]?.on('events', (message: EventsMessage) => messages.push(message));
  const words = quick ? 200 : 600;
  const counting = countUntilQuiet(sockets);
  const startedAt = performance.now();
  await product.run(session, `[[slow words=${words} delay=2]]`);
  const ours = await counting.done();
  const oursMs = performance.now() - startedAt;
  for (const socket of sockets) socket.disconnect();
  const raw = await emitRaw(messages, oursMs);
  return [
    ratioRow(
      '100 viewers, deliveries ÷ raw emit of the same messages at the same pace',
      [ours / raw],
      { least: 0.8 },
      `${ours} : ${raw} messages`,
    ),
  ];
}

async function openSockets(url: string, auth: Record<string, string>): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: VIEWERS }, async (_, i) => {
      const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { ...auth, clientId: `viewer-${i}` } });
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('connect_error', reject);
      });
      return socket;
    }),
  );
}

function countUntilQuiet(sockets: Socket[]): { done(): Promise<number> } {
  let count = 0;
  let lastAt = performance.now();
  for (const socket of sockets) {
    socket.on('events', () => {
      count += 1;
      lastAt = performance.now();
    });
  }
  return {
    done: async () => {
      while (performance.now() - lastAt < 300) await new Promise((resolve) => setTimeout(resolve, 20));
      return count;
    },
  };
}

/** The floor: a bare Socket.IO server emits each message to a room of as many viewers, spread over the same time. */
async function emitRaw(messages: EventsMessage[], overMs: number): Promise<number> {
  const http = createServer();
  const server = new Server(http, { transports: ['websocket'] });
  server.on('connection', (socket) => void socket.join('room'));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const sockets = await openSockets(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, {});
  const counting = countUntilQuiet(sockets);
  for (const message of messages) {
    server.to('room').emit('events', message);
    await new Promise((resolve) => setTimeout(resolve, overMs / messages.length));
  }
  const count = await counting.done();
  for (const socket of sockets) socket.disconnect();
  await server.close();
  return count;
}
