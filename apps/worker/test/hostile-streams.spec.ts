import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ClaudeStreamMapper, type HarnessOutput } from '../src/harness/claude-code/mapper/claude-stream-mapper';
import { MAX_JSON_DEPTH, TOO_DEEP } from '../src/harness/claude-code/records/bounded-json';
import { eventsOf, RECORDINGS } from './play-recording';
import { init, inputDelta, messageStart, res, tool, toolStart, tres, txt } from './stream-scenarios/records';

function newMapper(clock = () => 0): ClaudeStreamMapper {
  return new ClaudeStreamMapper({
    requestedSessionId: null,
    asked: { cwd: '/x', model: 'opus', permissionMode: 'plan', tools: ['Read'] },
    clock,
  });
}

function feed(records: readonly unknown[], mapper = newMapper()): HarnessOutput[] {
  return records.flatMap((record) => mapper.accept(record));
}

const broken = (outputs: readonly HarnessOutput[]) =>
  outputs.filter((output) => output.type === 'ignored' && output.what.startsWith('broken:'));

/** One real record of each kind, by type, subtype and kind of stream event. */
const kinds = new Map<string, Record<string, unknown>>();
for (const file of readdirSync(RECORDINGS).filter((name) => name.endsWith('.ndjson'))) {
  for (const line of readFileSync(join(RECORDINGS, file), 'utf8').split('\n')) {
    if (!line.startsWith('{') || line.length > 20_000) continue;
    const record = JSON.parse(line) as Record<string, unknown>;
    const event = record['event'] as Record<string, unknown> | undefined;
    kinds.set([record['type'], record['subtype'], event?.['type']].join('/'), record);
  }
}

/** A real record in which some values, at any depth, are replaced by anything. */
const damaged = fc
  .tuple(
    fc.constantFrom(...kinds.values()),
    fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 2 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([record, damages]) => {
    const copy = structuredClone(record);
    for (const [at, value] of damages) {
      const places: [Record<string, unknown>, string][] = [];
      const walk = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return;
        for (const key of Object.keys(node)) {
          places.push([node as Record<string, unknown>, key]);
          walk((node as Record<string, unknown>)[key]);
        }
      };
      walk(copy);
      const place = places[at % places.length];
      if (place && place[1] !== 'type') place[0][place[1]] = value;
    }
    return copy;
  });

const anything = fc.oneof(
  { weight: 5, arbitrary: damaged },
  { weight: 2, arbitrary: fc.constantFrom(...kinds.values()) },
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'system',
        'assistant',
        'user',
        'result',
        'stream_event',
        'control_request',
        '__proto__',
        'toString',
      ),
      subtype: fc.constantFrom('init', 'status', '__proto__', 'constructor'),
    }),
  },
);

describe('whatever a stream holds', () => {
  it('nothing throws, and the wall behind the handlers is never reached', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 30 }), (records) => {
        const mapper = newMapper();
        const outputs = feed(records, mapper);
        expect(broken(outputs)).toEqual([]);
        mapper.finish({ code: 0, signal: null });
        expect(() => JSON.stringify(outputs)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });

  it('deltas joined and not withdrawn are the text, however the stream was cut', () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pieces, pieces, fc.boolean(), (first, second, isRetried) => {
        const deltas = (id: string, texts: string[]) =>
          texts.map((text) => ({
            type: 'stream_event',
            parent_tool_use_id: null,
            api_message_id: id,
            event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
          }));
        const broke = isRetried ? [{ type: 'system', subtype: 'api_retry' }] : [];
        const mapper = newMapper();
        const outputs = feed(
          [
            init(),
            messageStart('a'),
            ...deltas('a', first),
            ...broke,
            messageStart('b'),
            ...deltas('b', second),
            res({ result: 'x' }),
          ],
          mapper,
        );
        const withdrawn = new Set(eventsOf(outputs, 'chat:withdrawn').map(({ messageId }) => messageId));
        const shown = eventsOf(outputs, 'chat:delta')
          .filter(({ messageId }) => !withdrawn.has(messageId))
          .map(({ text }) => text)
          .join('');
        expect(withdrawn).toEqual(new Set(['a']));
        expect(shown).toBe(second.join(''));
        expect(mapper.finish({ code: 0, signal: null }).text).toBe(shown);
      }),
    );
  });

  it('objects that claim to be prototypes stay plain data', () => {
    const text =
      '{"type":"assistant","message":{"id":"__proto__","content":[{"type":"tool_use","id":"__proto__","name":"__proto__","input":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}]},"__proto__":{"polluted":1}}';
    const outputs = feed([
      init(),
      JSON.parse(text),
      tres('__proto__', 'ok'),
      JSON.parse(
        '{"type":"result","model_usage_since_last_result":{"__proto__":{"costUSD":1}},"__proto__":{"is_error":true},"result":"x"}',
      ),
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(JSON.stringify(eventsOf(outputs, 'tool:start')[0]?.input)).toBe(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(outputs.at(-1)).toMatchObject({ type: 'result', result: { outcome: 'completed', reportedCostUsd: '1' } });
  });

  it('nesting without end is cut, so that nothing behind can run out of stack', () => {
    const deep = JSON.parse(`${'{"a":['.repeat(20_000)}${']}'.repeat(20_000)}`) as unknown;
    const outputs = feed([
      init(),
      tool('m1', 't1', 'Bash', deep),
      tres('t1', [deep]),
      res({ result: 'x', permission_denials: [{ tool_input: deep }] }),
      { type: 'novel', deep },
      { type: 'control_request', request_id: 'r', request: { input: deep } },
      { type: 'control_response', response: { request_id: 'r', response: { deep } } },
      txt('m2', 'ok'),
    ]);
    expect(broken(outputs)).toEqual([]);
    const text = JSON.stringify(outputs);
    expect(text).toContain(TOO_DEEP);
    expect(text.length).toBeLessThan(60 * MAX_JSON_DEPTH);
  });

  it('huge-line: a tool’s content is passed on whole, with its size', () => {
    const data = 'A'.repeat(12 * 1024 * 1024);
    const outputs = feed([
      init(),
      tool('m1', 't1', 'Read'),
      tres('t1', [{ type: 'image', source: { type: 'base64', data } }]),
      txt('m2', 'ok'),
      res({ result: 'ok' }),
    ]);
    const result = outputs.find((output) => output.type === 'event' && output.event.kind === 'tool:result');
    expect(result).toMatchObject({ bytes: expect.any(Number) });
    expect((result as { bytes: number }).bytes).toBeGreaterThan(data.length);
    expect((eventsOf(outputs, 'tool:result')[0]?.content as [{ source: { data: string } }])[0].source.data).toBe(data);
  });

  it('tool-input-split: a megabyte of input in 20,000 pieces is parsed once and shown in small', () => {
    const input = { content: 'x'.repeat(1024 * 1024) };
    const json = JSON.stringify(input);
    const size = Math.ceil(json.length / 20_000);
    const pieces = Array.from({ length: 20_000 }, (_, i) => json.slice(i * size, (i + 1) * size));
    let now = 0;
    const mapper = newMapper(() => (now += 1));
    const parse = jest.spyOn(JSON, 'parse');
    const outputs = feed(
      [
        init(),
        messageStart('m1'),
        toolStart('m1', 't1', 'Write'),
        ...pieces.map((piece) => inputDelta('m1', piece)),
        { type: 'stream_event', api_message_id: 'm1', event: { type: 'message_stop' } },
      ],
      mapper,
    );
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect(parsed).toBe(1);
    expect(eventsOf(outputs, 'tool:start').map((start) => start.input)).toEqual([input]);
    const shown = eventsOf(outputs, 'tool:progress').map(({ partialInput }) => String(partialInput));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.join('').length).toBeLessThan(10_000);
    expect(shown.every((partial) => json.startsWith(partial))).toBe(true);
  });

  it('an endless variety of unknown kinds is counted in bounded space', () => {
    const mapper = newMapper();
    feed(
      Array.from({ length: 5_000 }, (_, i) => ({ type: `kind-${i}-${'x'.repeat(1_000)}` })),
      mapper,
    );
    const { ignored } = mapper.finish({ code: 0, signal: null });
    expect(ignored.size).toBeLessThanOrEqual(200);
    expect([...ignored.keys()].every((kind) => kind.length <= 80)).toBe(true);
  });

  it('a message of very many blocks takes time in proportion', () => {
    const blocks = Array.from({ length: 100_000 }, (_, i) => ({ type: 'text', text: String(i % 10) }));
    const mapper = newMapper();
    feed([init(), { type: 'assistant', message: { id: 'm1', content: blocks } }, res({ result: 'x' })], mapper);
    expect(mapper.finish({ code: 0, signal: null }).text.length).toBe(100_000);
  });
});
