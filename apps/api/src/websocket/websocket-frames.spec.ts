import { EventEmitter } from 'node:events';
import { PROTOCOL_VERSION, type ServerFrame } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import type { WebSocket } from 'ws';
import type { Principal } from '../access/principal';
import { MessageLimit } from '../live/message-limit';
import { FrameIntake } from './frame-intake';
import { WebsocketConnections } from './websocket-connections';

const MIB = 1024 * 1024;

class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: ServerFrame[] = [];
  closed: number | null = null;
  readonly _receiver = { _maxPayload: 16 * 1024 };
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ServerFrame);
  }
  close(code: number): void {
    this.closed = code;
  }
  ping(): void {}
  terminate(): void {}

  get codes(): string[] {
    return this.sent.map((each) => (each.frame === 'error' ? each.body.code : each.frame));
  }
}

describe('frames of a WebSocket', () => {
  const run = jest.fn();
  const authenticate = jest.fn();
  let connections: WebsocketConnections;
  let socket: FakeSocket;
  let parsed: jest.SpyInstance;

  beforeEach(() => {
    run.mockReset().mockResolvedValue({ body: {}, warnings: [] });
    authenticate.mockReset().mockResolvedValue(principal());
    const calls = { opened: jest.fn(), closed: jest.fn() };
    connections = new WebsocketConnections(
      { ...calls, authenticate, refresh: jest.fn().mockRejectedValue(new Error('no')) } as never,
      new FrameIntake(new MessageLimit()),
      { run } as never,
      calls as never,
      { describe: () => Promise.resolve({}) } as never,
      { error: jest.fn() } as never,
    );
    socket = new FakeSocket();
    connections.open(socket as unknown as WebSocket, { who: null, token: null, attach: null, proven: jest.fn() });
    parsed = jest.spyOn(JSON, 'parse');
  });
  afterEach(async () => {
    parsed.mockRestore();
    socket.emit('close');
    await connections.drain();
  });

  const principal = (claims?: object): Principal =>
    ({
      user: { id: 'u' },
      identityClass: 'human',
      clientId: 'c',
      expiresAtMs: Date.now() + 60_000,
      ...(claims && { token: { claims } }),
    }) as unknown as Principal;
  const arrives = (frame: object | string, isBinary = false) =>
    socket.emit('message', Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)), isBinary);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const shake = async () => {
    arrives({ frame: 'handshake', body: { protocolVersion: PROTOCOL_VERSION, token: 't' } });
    await waitFor(() => socket.codes.includes('handshake'), { what: 'the handshake' });
    socket.sent.length = 0;
  };
  const usage = (id: number) => ({ frame: 'command', command: 'usage:read', id });

  it.each([
    ['what is no JSON', 'x', false],
    ['binary', '{}', true],
    ['another kind', '{"frame":"other"}', false],
    ['a handshake that is refused', '{"frame":"handshake","body":{"token":"t"}}', false],
    ['a short command made long', `{"frame":"command","command":"custom","body":"${'x'.repeat(300_000)}"}`, false],
  ])('that are faulty end the connection when nothing else comes: %s', async (_, text, isBinary) => {
    await shake();
    for (let count = 0; count < 50; count += 1) arrives(text, isBinary);
    await waitFor(() => socket.closed !== null, { what: 'the end' });
    await settled();
    expect(socket.closed).toBe(1008);
    expect(socket.sent).toHaveLength(21);
  });

  it('that are good make up for faulty ones before them', async () => {
    await shake();
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 15; count += 1) arrives('x');
      arrives(usage(round));
    }
    await waitFor(() => socket.sent.length === 48, { what: 'the answers' });
    expect(socket.closed).toBeNull();
  });

  it.each([false, true])('beyond the rate are refused by their ids, unparsed; shaken: %s', async (isShaken) => {
    if (isShaken) await shake();
    for (let count = 0; count < 70; count += 1) arrives(usage(count));
    await waitFor(() => socket.sent.length === 70, { what: 'the answers' });
    parsed.mockClear();
    const body = { list: 'x'.repeat(5_000) };
    for (const each of [
      { ...usage(99), body },
      { frame: 'other', id: 98, body },
    ])
      arrives(each);
    await waitFor(() => socket.sent.length === 72, { what: 'the refusals' });
    expect(socket.sent.slice(-2)).toMatchObject([
      { id: 99, body: { code: 'RATE_LIMITED' } },
      { id: 98, body: { code: 'RATE_LIMITED' } },
    ]);
    expect(parsed.mock.calls.some(([text]) => (text as string).includes('xxxxx'))).toBe(false);
    for (let count = 0; count < 400; count += 1) arrives('x');
    await waitFor(() => socket.closed !== null, { what: 'the end' });
    expect(socket.closed).toBe(1008);
    expect(socket.sent.length).toBeLessThan(400);
  });

  it.each([true, false])('of a client that does not read are not looked at; shaken: %s', async (isShaken) => {
    if (isShaken) await shake();
    parsed.mockClear();
    socket.bufferedAmount = 3 * MIB;
    for (const text of ['x', '{"frame":"other"}', '{"frame":"handshake"}']) arrives(text);
    await waitFor(() => socket.closed !== null, { what: 'the end' });
    await settled();
    expect([socket.closed, socket.sent, parsed.mock.calls]).toEqual([4429, [], []]);
  });

  it('and its pings end it too', () => {
    socket.bufferedAmount = 9 * MIB;
    socket.emit('ping');
    expect(socket.closed).toBe(4429);
  });

  it('are parsed beyond 256 KiB where they are messages, and refused by their ids where not', async () => {
    await shake();
    parsed.mockClear();
    const body = { message: 'x'.repeat(300_000) };
    for (const frame of [
      { frame: 'command', command: 'custom', body, id: 1 },
      { body, frame: 'handshake', id: 2 },
      { frame: 'event', command: 'turn:send', body, id: 3 },
    ])
      arrives(frame);
    await waitFor(() => socket.sent.length === 3, { what: 'the refusals' });
    expect(socket.sent).toMatchObject([1, 2, 3].map((id) => ({ id, body: { code: 'MESSAGE_TOO_LARGE' } })));
    expect(parsed.mock.calls.every(([text]) => (text as string).length < 1_000)).toBe(true);
    arrives({ body, frame: 'command', command: 'turn:send', id: 4 });
    await waitFor(() => socket.sent.length === 4, { what: 'the answer' });
    expect(run).toHaveBeenCalledWith(expect.anything(), 'turn:send', body, expect.anything());
  });

  it.each([
    [undefined, 26 * MIB],
    [{ commands: ['turn:send'] }, 26 * MIB],
    [{ commands: ['events:read'] }, 256 * 1024],
  ])('may be as long as the commands of the sender: %j', async (claims, bytes) => {
    authenticate.mockResolvedValue(principal(claims));
    await shake();
    expect(socket._receiver._maxPayload).toBe(bytes);
  });
});
