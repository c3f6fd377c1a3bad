import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callModel, contentOf, modelRequest, userMessage, type Answer } from '../../test/call-model';
import { startScriptedModel, type ScriptedModel } from './scripted-model';

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ listen: { port: 0 }, directives: true, wordDelayMs: 0 });
});
afterEach(() => model.reset());
afterAll(() => model.close());

const ask = (text: string, ...more: unknown[]): Promise<Answer> =>
  callModel(model, modelRequest(userMessage(text), ...more));
const stopOf = (answer: Answer): unknown =>
  (answer.events.find((event) => event.type === 'message_delta')?.['delta'] as { stop_reason?: unknown })?.stop_reason;

describe('a streamed answer', () => {
  it('has the events of the Messages API in their order', async () => {
    const answer = await ask('[[thinking Hm]]&[[text Hello]]&[[tool Bash {"command":"ls"}]]');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'request-id': expect.stringMatching(/^req_/),
    });
    const types = answer.events.map((event) => event.type).filter((type, index, all) => type !== all[index - 1]);
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop'];
    expect(types).toEqual(['message_start', 'ping', ...block, ...block, ...block, 'message_delta', 'message_stop']);
    expect(contentOf(answer)).toEqual([
      { type: 'thinking', value: 'Hm' },
      { type: 'text', value: 'Hello' },
      { type: 'tool_use', name: 'Bash', value: '{"command":"ls"}' },
    ]);
    expect(stopOf(answer)).toBe('tool_use');
  });

  it('carries the usage that was asked for, cache classes and searches included', async () => {
    const answer = await ask('[[usage input=1 output=2 cache_read=3 cache_write_5m=4 cache_write_1h=5 searches=6]]');
    expect(answer.events.find((event) => event.type === 'message_delta')?.['usage']).toEqual({
      input_tokens: 1,
      output_tokens: 2,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 9,
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 },
      server_tool_use: { web_search_requests: 6, web_fetch_requests: 0 },
    });
  });

  it('has as many deltas as a burst asks for', async () => {
    const answer = await ask('[[burst 3000]]');
    expect(answer.events.filter((event) => event.type === 'content_block_delta')).toHaveLength(3_000);
    expect(contentOf(answer)[0]?.value).toBe('word '.repeat(3_000));
  });

  it('may be split inside a character, which puts itself together again', async () => {
    const answer = await ask('[[unicode Zoë 🙂]]');
    expect(contentOf(answer)[0]?.value).toBe('Zoë 🙂');
    expect(answer.chunks.some((chunk) => chunk.toString('utf8').includes('\uFFFD'))).toBe(true);
  });

  it('never gives two messages or two tool calls one id, also after a restart', async () => {
    const ids = await Promise.all(
      ['a', 'b'].map((text) =>
        ask(`[[text ${text}]]`).then((answer) => (answer.events[0]?.['message'] as { id: string }).id),
      ),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^msg_[A-Za-z0-9]{20}$/);
  });
});

describe('an answer that is not streamed', () => {
  it('is the same message in one piece', async () => {
    const answer = await callModel(model, {
      ...modelRequest(userMessage('[[text Hello]]&[[tool Bash {"a":1}]]')),
      stream: false,
    });
    expect(JSON.parse(answer.body)).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', name: 'Bash', input: { a: 1 }, id: expect.stringMatching(/^toolu_/) },
      ],
      usage: { input_tokens: 12, output_tokens: 8 },
    });
  });
});

describe('steps', () => {
  it('follow the answers in the conversation, so that they survive a restart', async () => {
    const text = '[[text one]] [[text two]]';
    const said = (answer: string): unknown[] => [
      { role: 'assistant', content: answer },
      userMessage([{ type: 'tool_result', tool_use_id: 'x', content: 'ok' }]),
    ];
    expect(contentOf(await ask(text))[0]?.value).toBe('one');
    expect(contentOf(await ask(text, ...said('one')))[0]?.value).toBe('two');
    expect(contentOf(await ask(text, ...said('one'), ...said('two')))[0]?.value).toBe('Done.');
  });

  it('with a number of times give way to the next', async () => {
    const text = '[[error 529 times=2]] [[text recovered]]';
    expect([(await ask(text)).status, (await ask(text)).status]).toEqual([529, 529]);
    expect(contentOf(await ask(text))[0]?.value).toBe('recovered');
  });

  it('may be given beside the conversation', async () => {
    model.enqueue('[[text from the queue]]');
    expect(contentOf(await ask('hello'))[0]?.value).toBe('from the queue');
    model.setDefault('[[text always]]');
    expect(contentOf(await ask('hello'))[0]?.value).toBe('always');
    model.setDefault(null);
    expect(contentOf(await ask('hello'))[0]?.value).toMatch(/^Hello! I am the \*\*demo model/);
  });
});

describe('what goes wrong on purpose', () => {
  it('is an error of the service with its headers', async () => {
    const answer = await ask('[[error 429 retry_after=7]]');
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '7']);
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
  });

  it('is a connection that is cut after some deltas', async () => {
    const answer = await ask('[[cut after=2]]');
    expect(answer.ended).toBe(false);
    expect(contentOf(answer)[0]?.value).toBe('word1 word2');
  });

  it('is silence and then a cut, at the moment that the test chooses', async () => {
    const asked = ask('[[cut on=half after=2]]');
    await until(() => model.requests().length > 0);
    await model.cut('half');
    const answer = await asked;
    expect(answer.ended).toBe(false);
    expect(contentOf(answer)[0]?.value).toBe('word1 word2');
  });

  it('is a cut that was wanted before the answer fell silent, or long after', async () => {
    const wanted = model.cut('half');
    const [first] = await Promise.all([ask('[[cut on=half after=3]]'), wanted]);
    expect(contentOf(first)[0]?.value).toBe('word1 word2 word3');
    const [late, other] = [ask('[[cut on=half after=1]]'), ask('[[cut on=other after=1]]')];
    await model.cut('other');
    expect((await other).ended).toBe(false);
    await model.cut('half');
    expect((await late).ended).toBe(false);
  });

  it('is an error inside the stream', async () => {
    const answer = await ask('[[sse_error after=1]]');
    expect(answer.events.at(-1)).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
  });

  it('is a connection that is refused, or an answer that cannot be read', async () => {
    await expect(ask('[[refused]]')).rejects.toThrow();
    expect((await ask('[[garbage]]')).events).toEqual([]);
    expect((await ask('[[html]]')).headers['content-type']).toBe('text/html');
  });

  it.each([
    ['[[max_tokens]]', 'max_tokens'],
    ['[[refusal]]', 'refusal'],
    ['[[pause_turn x]]', 'pause_turn'],
    ['[[empty]]', 'end_turn'],
    ['[[text x]]&[[stop max_tokens]]', 'max_tokens'],
  ])('is another reason to stop: %s', async (text, reason) => expect(stopOf(await ask(text))).toBe(reason));

  it.each(['[[stall after=1]]', '[[hang]]'])(
    'is silence until the client gives up, which is noticed: %s',
    async (directive) => {
      const { hostname, port } = new URL(model.url);
      const client = request({ hostname, port, path: '/v1/messages', method: 'POST', agent: false });
      client.on('error', () => undefined);
      client.end(JSON.stringify(modelRequest(userMessage(directive))));
      if (directive.startsWith('[[stall')) await once(client, 'response');
      await until(() => model.requests()[0]?.answer !== undefined && model.requests()[0]?.answer !== '');
      expect(model.requests()[0]?.aborted).toBe(false);
      client.destroy();
      await until(() => model.requests()[0]?.aborted === true);
    },
  );
});

describe('the rest of the service', () => {
  it('counts tokens, knows no other endpoint, and refuses what is no request', async () => {
    expect(
      JSON.parse((await callModel(model, modelRequest(userMessage('x')), '/v1/messages/count_tokens')).body),
    ).toEqual({ input_tokens: expect.any(Number) });
    expect((await callModel(model, '', '/api/hello', 'HEAD')).status).toBe(404);
    expect((await callModel(model, '{}', '/v1/complete')).status).toBe(404);
    expect((await callModel(model, 'not json')).status).toBe(400);
    expect((await callModel(model, `{"messages":[],"pad":"${'x'.repeat(33 * 1024 * 1024)}"}`)).status).toBe(413);
  });

  it('records requests without their credentials', async () => {
    await ask('[[text Hello]]');
    expect(model.requests()).toEqual([
      expect.objectContaining({
        method: 'POST',
        path: '/v1/messages?beta=true',
        answer: 'text',
        aborted: false,
        headers: expect.objectContaining({ 'x-api-key': 'sk-ant-…' }),
      }),
    ]);
  });

  it('has a handle for tests in other processes', async () => {
    await callModel(model, '[[text queued]]', '/scripted/enqueue');
    expect(contentOf(await ask('hello'))[0]?.value).toBe('queued');
    expect(JSON.parse((await callModel(model, '', '/scripted/requests', 'GET')).body)).toHaveLength(1);
    await callModel(model, '', '/scripted/reset');
    expect(model.requests()).toEqual([]);
  });
});

describe('a server without directives', () => {
  it('takes them for ordinary text, keeps no requests and has no handle', async () => {
    const plain = await startScriptedModel({
      listen: { socketPath: join(mkdtempSync(join(tmpdir(), 'model-')), 's') },
      wordDelayMs: 0,
    });
    try {
      const answer = await callModel(plain, modelRequest(userMessage('[[error 500]]')));
      expect(answer.status).toBe(200);
      expect(contentOf(answer)[0]?.value).toMatch(/demo model/);
      expect(plain.requests()).toEqual([]);
      expect((await callModel(plain, '', '/scripted/requests', 'GET')).status).toBe(404);
    } finally {
      await plain.close();
    }
  });

  it('cannot listen where another one does', async () => {
    const port = Number(new URL(model.url).port);
    await expect(startScriptedModel({ listen: { port } })).rejects.toThrow(/EADDRINUSE/);
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
