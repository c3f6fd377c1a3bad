import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixedToken } from '../http/signed-fetch';
import { followEvents, type FollowOptions } from './follow-events';

const LAST = 40;
const frame = (id: number) =>
  `id: ${id}\nevent: chat:delta\ndata: ${JSON.stringify({ id, kind: 'chat:delta', payload: { text: `Ä${id}` } })}\n\n`;
const framesBehind = (id: number) => Array.from({ length: LAST - id }, (_, at) => frame(id + 1 + at)).join('');

type Answer = (after: number, response: ServerResponse) => void;

/** A server whose answers to each attempt are these, in order. */
async function serving(answers: Answer[]) {
  const asked: number[] = [];
  const server: Server = createServer((request: IncomingMessage, response) => {
    const after = Number(request.headers['last-event-id']);
    asked.push(after);
    const answer = answers.shift();
    if (answer === undefined) return void response.destroy();
    answer(after, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`, asked };
}

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close() && server.closeAllConnections()));

const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
/** The whole log behind the cursor, cut at a byte of it. */
const cutAt =
  (share: number): Answer =>
  (after, response) => {
    const bytes = Buffer.from(`retry: 1\n\n: here\n\n${framesBehind(after)}`);
    stream(response).write(bytes.subarray(0, Math.floor(bytes.length * share)), () => response.destroy());
  };
const whole = (after: number, response: ServerResponse) => void stream(response).write(framesBehind(after));
const refusing = (status: number, code: string) => (_after: number, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ code, detail: 'No.' }));
};

/** The ids that arrive until the last one, or the error. */
async function idsFrom(url: string, options: FollowOptions = {}) {
  const stop = new AbortController();
  const ids: number[] = [];
  const connection = { baseUrl: url, tokens: fixedToken('t') };
  const more = { delayMs: () => 1, signal: stop.signal, ...options };
  for await (const event of followEvents(connection, 'sess_1', more)) {
    ids.push(event.id);
    if (event.id === LAST) stop.abort();
  }
  return ids;
}

const from = (first: number) => Array.from({ length: LAST - first + 1 }, (_, at) => first + at);

describe('the events of a session', () => {
  it('arrive once and in order however often the connection is cut', async () => {
    const { url, asked } = await serving([...[0.31, 0, 0.5, 0.777, 0.9].map((share) => cutAt(share)), whole]);
    expect(await idsFrom(url)).toEqual(from(1));
    expect(asked).toHaveLength(6);
    expect(asked).toEqual([...asked].sort((a, b) => a - b));
  });

  it('begin behind the one that is known', async () => {
    const { url, asked } = await serving([whole]);
    expect(await idsFrom(url, { after: 12 })).toEqual(from(13));
    expect(asked).toEqual([12]);
  });

  it('are asked for again where the stream repeats some or leaves some out', async () => {
    const { url, asked } = await serving([
      (_after, response) => void stream(response).write(frame(1) + frame(2) + frame(1) + frame(3) + frame(7)),
      whole,
    ]);
    expect(await idsFrom(url)).toEqual(from(1));
    expect(asked).toEqual([0, 3]);
  });

  it('fail where some are missing for good', async () => {
    const skipping = (_after: number, response: ServerResponse) => void stream(response).write(frame(9));
    const { url } = await serving(Array.from({ length: 9 }, () => skipping));
    await expect(idsFrom(url)).rejects.toThrow('Events 1 to 8 are missing');
  });

  it('continue behind answers that pass, and end with a refusal', async () => {
    const { url, asked } = await serving([refusing(502, 'INTERNAL'), cutAt(0.5), refusing(404, 'SESSION_NOT_FOUND')]);
    await expect(idsFrom(url)).rejects.toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND' });
    expect(asked).toHaveLength(3);
  });

  it('are asked for with the next token when the first one has ended', async () => {
    const expiring = (_after: number, response: ServerResponse) =>
      void stream(response).end(`${frame(1)}event: token-expiring\ndata: {}\n\nevent: token-expired\ndata: {}\n\n`);
    const { url, asked } = await serving([expiring, refusing(401, 'TOKEN_EXPIRED')]);
    await expect(idsFrom(url)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(asked).toEqual([0, 1]);
  });

  it('fail where a page answers instead', async () => {
    const { url } = await serving([(_after, response) => void response.end('<html>')]);
    await expect(idsFrom(url)).rejects.toThrow('not Chirality');
  });
});
