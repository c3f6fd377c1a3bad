import { gzipSync } from 'node:zlib';
import { waitFor } from '@chirality/testing';
import { ask, startGatewayBench, type GatewayBench } from '../../../test/gateway-bench';
import { replyStreaming, streamedAnswer } from '../../../test/model-upstream';

const TURN = { turnId: 'turn_1', attempt: 2, authorId: 'user_1' };

describe('usage that the model gateway counts', () => {
  let bench: GatewayBench;
  beforeEach(async () => {
    bench = await startGatewayBench();
    bench.lease.bind(TURN);
  });
  afterEach(() => bench.close());

  const askOnce = () => ask(bench.lease.socketPath, { token: bench.lease.token });

  it('is one row a message, begun when it starts, with the answering model and every kind of token', async () => {
    await askOnce();
    expect(await bench.lease.unbind()).toEqual([]);
    const row = {
      id: expect.stringMatching(/^usage_/),
      binding: TURN,
      demo: false,
      at: expect.any(Date),
      apiMessageId: 'msg_1',
      model: 'claude-answering',
      inputTokens: 10,
      cacheReadTokens: 500,
      cacheWrite5mTokens: 70,
      cacheWrite1hTokens: 30,
      webSearches: 0,
    };
    expect(bench.usage.begun).toEqual([{ ...row, outputTokens: 1, complete: false }]);
    expect(bench.usage.rows).toEqual([{ ...row, outputTokens: 12, complete: true }]);
  });

  it('never holds the stream up, but the end of the turn waits for it', async () => {
    bench.usage.failures = 3;
    expect((await askOnce()).body).toContain('message_stop');
    expect(bench.usage.begun).toEqual([]);
    expect(await bench.lease.unbind()).toEqual([]);
    expect(bench.usage.rows).toMatchObject([{ complete: true, outputTokens: 12 }]);
    expect(bench.logged.filter((line) => line.startsWith('gateway.usage_write_failed'))).toHaveLength(3);
  });

  it('is named when it could not be stored in time, and the next turn is counted as ever', async () => {
    const { lease } = await bench.another({ limits: { drainMs: 150 } });
    bench.usage.failures = Number.POSITIVE_INFINITY;
    lease.bind(TURN);
    await ask(lease.socketPath, { token: lease.token });
    expect(await lease.unbind()).toMatchObject([
      { apiMessageId: 'msg_1', outputTokens: 12, binding: { turnId: 'turn_1' } },
    ]);
    expect(bench.logged.some((line) => line.startsWith('gateway.usage_not_stored') && line.includes('msg_1'))).toBe(
      true,
    );
    bench.usage.failures = 0;
    lease.bind({ ...TURN, turnId: 'turn_2' });
    await ask(lease.socketPath, { token: lease.token });
    expect(await lease.unbind()).toEqual([]);
    expect(bench.usage.begun).toMatchObject([{ binding: { turnId: 'turn_2' } }]);
  });

  it('belongs to the turn that was bound when the request came', async () => {
    await askOnce();
    await bench.lease.unbind();
    bench.upstream.reply = replyStreaming(streamedAnswer('msg_2', 'again', 99));
    bench.keys.set('user_2', 'their-own-key');
    bench.lease.bind({ turnId: 'turn_2', attempt: 1, authorId: 'user_2' });
    await askOnce();
    await bench.lease.unbind();
    expect(bench.usage.rows.map((row) => [row.binding, row.apiMessageId, row.outputTokens])).toEqual([
      [TURN, 'msg_1', 12],
      [{ turnId: 'turn_2', attempt: 1, authorId: 'user_2' }, 'msg_2', 99],
    ]);
  });

  it.each([
    ['the service', (parts: string[]) => parts.slice(0, 3), { complete: false, estimated: true, outputTokens: 1 }],
    [
      'the service, after it sent the final counts',
      (parts: string[]) => parts.slice(0, 5),
      { complete: true, outputTokens: 12 },
    ],
  ])('of a stream that is cut by %s is what was reported until then', async (_by, cut, expected) => {
    bench.upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(cut(streamedAnswer('msg_1', 'half')).join(''), () => response.destroy());
    };
    await expect(askOnce()).rejects.toThrow('aborted');
    expect(await bench.lease.unbind()).toEqual([]);
    expect(bench.usage.rows).toMatchObject([{ apiMessageId: 'msg_1', inputTokens: 10, ...expected }]);
  });

  it('is what the service says at its end, also of an answer whose reader left before', async () => {
    const parts = streamedAnswer('msg_1', 'the whole answer', 777);
    let goOn: () => void = () => undefined;
    bench.upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(parts.slice(0, 3).join(''));
      goOn = () => response.end(parts.slice(3).join(''));
    };
    const answer = ask(bench.lease.socketPath, {
      token: bench.lease.token,
      onData: (_chunk, message) => void message.destroy(new Error('left')),
    });
    await expect(answer).rejects.toThrow('left');
    goOn();
    await waitFor(() => bench.usage.rows.length === 1, { what: 'the usage is stored' });
    expect(bench.usage.rows).toMatchObject([{ complete: true, outputTokens: 777 }]);
  });

  it('of an answer whose reader left is what came of it, where the service does not come to an end in time', async () => {
    const { lease } = await bench.another({ limits: { afterLeavingMs: 20 } });
    lease.bind(TURN);
    let stopped = false;
    bench.upstream.reply = (response) => {
      response.on('close', () => (stopped = true));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamedAnswer('msg_1', 'w'.repeat(4_000)).slice(0, 3).join(''));
    };
    const answer = ask(lease.socketPath, {
      token: lease.token,
      onData: (_chunk, message) => void message.destroy(new Error('left')),
    });
    await expect(answer).rejects.toThrow('left');
    await waitFor(() => bench.usage.rows.length === 1, { what: 'the usage is stored' });
    expect(bench.usage.rows).toMatchObject([{ complete: false, estimated: true, outputTokens: 1_000 }]);
    await waitFor(() => stopped, { what: 'the service is let go' });
  });

  it('of an open request is stored when the turn ends and cuts it', async () => {
    let stopped = false;
    bench.upstream.reply = (response) => {
      response.on('close', () => (stopped = true));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamedAnswer('msg_1', 'x')[0] ?? '');
    };
    let begun: () => void = () => undefined;
    const streaming = new Promise<void>((resolve) => (begun = resolve));
    const answer = ask(bench.lease.socketPath, { token: bench.lease.token, onData: () => begun() });
    const outcome = expect(answer).rejects.toThrow('aborted');
    await streaming;
    expect(await bench.lease.unbind()).toEqual([]);
    await outcome;
    expect(bench.usage.rows).toMatchObject([{ complete: false, binding: { turnId: 'turn_1' } }]);
    expect(stopped).toBe(true);
  });

  it('is read from replies that are not streamed', async () => {
    const message = {
      id: 'msg_9',
      type: 'message',
      model: 'claude-answering',
      content: [],
      usage: { input_tokens: 7, output_tokens: 5, server_tool_use: { web_search_requests: 3 } },
    };
    bench.upstream.reply = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    expect((await askOnce()).body).toBe(JSON.stringify(message));
    await bench.lease.unbind();
    expect(bench.usage.rows).toMatchObject([
      { apiMessageId: 'msg_9', inputTokens: 7, outputTokens: 5, webSearches: 3, complete: true },
    ]);
  });

  it('is read from an answer that comes compressed although it was asked for plain', async () => {
    const packed = gzipSync(streamedAnswer('msg_z', 'x').join(''));
    bench.upstream.reply = (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(packed);
    const answer = await askOnce();
    expect(answer).toMatchObject({ status: 200, body: streamedAnswer('msg_z', 'x').join('') });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    await bench.lease.unbind();
    expect(bench.usage.rows).toMatchObject([{ apiMessageId: 'msg_z', complete: true }]);
  });

  it('is none for a count of tokens or an error', async () => {
    bench.upstream.reply = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":12}');
    await ask(bench.lease.socketPath, { token: bench.lease.token, path: '/v1/messages/count_tokens' });
    bench.upstream.reply = (response) =>
      response
        .writeHead(529, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"overloaded_error","message":"busy"}}');
    await askOnce();
    expect(await bench.lease.unbind()).toEqual([]);
    expect(bench.usage.begun).toEqual([]);
  });
});
