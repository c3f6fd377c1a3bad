import { compareShapes, gather } from './compare.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { shapeOf } from './shape.mjs';

const INIT = { type: 'system', subtype: 'init', session_id: 'a', tools: ['Read', 'Bash'], memory_paths: null };
const CALL = {
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }] },
};
const ANSWERED = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] } };
const RESULT = { duration_ms: 3, modelUsage: { 'some-model': { costUSD: 0.1 } }, subtype: 'success', type: 'result' };
/** @type {import('../services/child.mjs').Exit} */
const EXIT = { code: 0, signal: null };

/**
 * @type {(records: object[], exit?: import('../services/child.mjs').Exit, name?: string) =>
 * import('./compare.mjs').StoredShapes}
 */
const stored = (records, exit = EXIT, name = 'one') => gather('1.0.0', [{ name, exit, shape: shapeOf(records) }]);
const RUN = [INIT, CALL, ANSWERED, RESULT];

describe('the shape of a run', () => {
  it('is the order of kinds and the fields of each with their types', () => {
    expect(stored(RUN)).toEqual({
      version: '1.0.0',
      scenarios: {
        one: { order: ['system/init', 'assistant/tool_use', 'user/tool_result:Bash', 'result/success'], exit: EXIT },
      },
      kinds: {
        'assistant/tool_use': [
          'message.content: array',
          'message.content[].id: string',
          'message.content[].input: object',
          'message.content[].name: string',
          'message.content[].type: string',
          'message.content[]: object',
          'message: object',
          'type: string',
        ],
        'result/success': [
          'duration_ms: number',
          'modelUsage.*.costUSD: number',
          'modelUsage.*: object',
          'modelUsage: object',
          'subtype: string',
          'type: string',
        ],
        'system/init': [
          'memory_paths: null',
          'session_id: string',
          'subtype: string',
          'tools: array',
          'tools[]: string',
          'type: string',
        ],
        'user/tool_result:Bash': [
          'message.content: array',
          'message.content[].content: string',
          'message.content[].tool_use_id: string',
          'message.content[].type: string',
          'message.content[]: object',
          'message: object',
          'type: string',
        ],
      },
    });
  });

  it('is the same whatever the values, their number and the order of keys', () => {
    const other = [
      { ...INIT, session_id: 'b', tools: ['Write', 'Glob', 'Task'] },
      CALL,
      ANSWERED,
      {
        type: 'result',
        subtype: 'success',
        modelUsage: { other: { costUSD: 2 }, third: { costUSD: 3 } },
        duration_ms: 9,
      },
    ];
    expect(compareShapes(stored(RUN), stored(other))).toEqual([]);
  });

  it('has no place for what the program writes by its own clock, and has its fields', () => {
    const aside = { type: 'system', subtype: 'ui_invalidate', what: 'all' };
    expect(stored([aside, ...RUN])).toEqual(stored([INIT, aside, ...RUN.slice(1)]));
    expect(stored([aside, ...RUN]).scenarios).toEqual(stored(RUN).scenarios);
    expect(stored([aside, ...RUN]).kinds['system/ui_invalidate']).toContain('what: string');
  });

  it('joins what is repeated: how many deltas an answer has is chance', () => {
    const delta = {
      type: 'stream_event',
      event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'a' } },
    };
    expect(shapeOf([delta, delta, delta]).order).toEqual(['stream_event/content_block_delta/text_delta']);
  });
});

describe('a program that writes something else', () => {
  it.each([
    ['a field more', [INIT, CALL, ANSWERED, { ...RESULT, novel: true }], ['  result/success', '    + novel: boolean']],
    [
      'a field less',
      [{ type: 'system', subtype: 'init', session_id: 'a', tools: ['x'] }, CALL, ANSWERED, RESULT],
      ['  system/init', '    - memory_paths: null'],
    ],
    [
      'a field of another type',
      [{ ...INIT, session_id: 7 }, CALL, ANSWERED, RESULT],
      ['  system/init', '    - session_id: string', '    + session_id: number'],
    ],
    [
      'a record more',
      [INIT, { type: 'novel' }, CALL, ANSWERED, RESULT],
      ['+ novel', '    type: string', '  scenario one', '      system/init', '    + novel', '      assistant/tool_use'],
    ],
    [
      'another order',
      [CALL, INIT, ANSWERED, RESULT],
      [
        '  scenario one',
        '    - system/init',
        '      assistant/tool_use',
        '    + system/init',
        '      user/tool_result:Bash',
      ],
    ],
    [
      'no result',
      [INIT, CALL, ANSWERED],
      ['- result/success', '  scenario one', '      user/tool_result:Bash', '    - result/success'],
    ],
  ])('is noticed by %s', (_, records, lines) => expect(compareShapes(stored(RUN), stored(records))).toEqual(lines));

  it('is noticed by how it ends', () => {
    expect(compareShapes(stored(RUN), stored(RUN, { code: null, signal: 'SIGTERM' }))).toEqual([
      '  scenario one',
      '    - ends with 0',
      '    + ended by SIGTERM',
    ]);
  });

  it('is noticed by what is new alone where only some runs were made', () => {
    const some = stored([INIT, { ...RESULT, novel: 1 }], EXIT, 'two');
    const all = {
      ...stored(RUN),
      scenarios: { ...stored(RUN).scenarios, two: { order: ['system/init', 'result/success'], exit: EXIT } },
    };
    expect(compareShapes(all, some, { partial: true })).toEqual(['  result/success', '    + novel: number']);
  });
});

it('fifteen runs at least are looked at', () => expect(Object.keys(SCENARIOS).length).toBeGreaterThanOrEqual(15));
