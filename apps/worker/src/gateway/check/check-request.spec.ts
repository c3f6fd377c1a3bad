import { checkRequest } from './check-request';
import { RequestRefused } from './request-refused';

const SONNET = { model: 'sonnet', webSearch: false };
const SEARCHING = { model: 'sonnet', webSearch: true };
const PLAIN = {
  model: 'claude-sonnet-5-5',
  max_tokens: 64,
  stream: true,
  messages: [{ role: 'user', content: 'hello' }],
};

const check = (fields: object | string, allowance = SONNET, beta?: string) =>
  checkRequest(
    beta === undefined ? {} : { 'anthropic-beta': beta },
    Buffer.from(typeof fields === 'string' ? fields : JSON.stringify(fields)),
    allowance,
  );

function refusalOf(fields: object | string, allowance = SONNET, beta?: string): string | null {
  try {
    check(fields, allowance, beta);
    return null;
  } catch (error) {
    if (error instanceof RequestRefused) return error.what;
    throw error;
  }
}

const saying = (...content: object[]) => ({ ...PLAIN, messages: [{ role: 'user', content }] });
const ephemeral = { type: 'ephemeral' };

describe('a request to the model’s service passes when it is one of the program’s', () => {
  it.each<[string, object]>([
    ['a plain one', PLAIN],
    [
      'the main loop',
      {
        ...PLAIN,
        system: [{ type: 'text', text: 'You are', cache_control: ephemeral }],
        tools: [
          {
            name: 'Bash',
            description: 'runs',
            input_schema: { type: 'object', properties: { url: { type: 'string' } } },
            defer_loading: true,
          },
        ],
        metadata: { user_id: '{}' },
        thinking: { type: 'adaptive', display: 'updates' },
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        output_config: { effort: 'high' },
      },
    ],
    [
      'what tools answered',
      saying(
        {
          type: 'tool_result',
          tool_use_id: 't1',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
          ],
          is_error: false,
          cache_control: ephemeral,
        },
        {
          type: 'tool_result',
          tool_use_id: 't2',
          content: [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } }],
        },
      ),
    ],
    [
      'what the service said before, with words that are younger than this gateway',
      {
        ...PLAIN,
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's', tokens: 4 },
              { type: 'text', text: 'I call', citations: null },
              {
                type: 'tool_use',
                id: 't',
                name: 'Bash',
                input: { url: 'https://a.example', source: { type: 'url' } },
                caller: { type: 'direct' },
              },
            ],
          },
        ],
      },
    ],
    [
      'a note in the middle of a conversation',
      {
        ...PLAIN,
        messages: [
          { role: 'system', content: 'note', output_config: { effort: 'low' } },
          { role: 'system', content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'Bash' } }] },
        ],
      },
    ],
    ['a helper’s with a small model', { ...PLAIN, model: 'claude-haiku-5-5' }],
  ])('%s', (_name, fields) => {
    const { bytes, model } = check(fields);
    expect([bytes.toString(), model]).toEqual([JSON.stringify(fields), (fields as { model: string }).model]);
  });

  it('a search of the web, where the project has it on', () => {
    const search = {
      ...PLAIN,
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }],
      tool_choice: { type: 'auto' },
    };
    expect(refusalOf(search, SEARCHING, 'web-search-2025-03-05')).toBeNull();
    expect(refusalOf(search)).toBe('tool web_search_20250305');
    expect(refusalOf(PLAIN, SONNET, 'web-search-2025-03-05')).toBe('anthropic-beta web-search-2025-03-05');
    expect(() => check(search)).toThrow('An admin can turn it on');
  });
});

describe('a request to the model’s service is refused', () => {
  it.each<[string, object | string, string]>([
    [
      'MCP connectors',
      { ...PLAIN, mcp_servers: [{ type: 'url', url: 'https://attacker.example/mcp' }] },
      'mcp_servers',
    ],
    ['a container', { ...PLAIN, container: 'c' }, 'container'],
    ['a dearer tier', { ...PLAIN, speed: 'fast' }, 'speed'],
    ['a prototype’s name', `{"model":"claude-sonnet-5-5","__proto__":{"mcp_servers":[]}}`, '__proto__'],
    [
      'the service’s fetching',
      { ...PLAIN, tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] },
      'tool web_fetch_20250910',
    ],
    [
      'the service’s code execution',
      { ...PLAIN, tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
      'tool code_execution_20250825',
    ],
    [
      'the service’s computer',
      { ...PLAIN, tools: [{ type: 'computer_20250124', name: 'computer' }] },
      'tool computer_20250124',
    ],
    ['a set of MCP tools', { ...PLAIN, tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }] }, 'tool mcp_toolset'],
    [
      'a tool brought in later',
      {
        ...PLAIN,
        messages: [
          {
            role: 'system',
            content: [
              {
                type: 'tool_addition',
                tool: { type: 'tool_definition', definition: { type: 'web_fetch_20250910', name: 'web_fetch' } },
              },
            ],
          },
        ],
      },
      'tool web_fetch_20250910',
    ],
    [
      'a picture at an address',
      saying({ type: 'image', source: { type: 'url', url: 'https://attacker.example/i.png?leak' } }),
      'image.source url',
    ],
    [
      'a document by the id of a file',
      saying({ type: 'document', source: { type: 'file', file_id: 'file_1' } }),
      'document.source file',
    ],
    [
      'a picture at an address in a tool’s result',
      saying({
        type: 'tool_result',
        tool_use_id: 't',
        content: [{ type: 'image', source: { type: 'url', url: 'https://attacker.example' } }],
      }),
      'image.source url',
    ],
    [
      'an address beside the data',
      saying({
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: '', url: 'https://attacker.example' },
      }),
      'image.source.url',
    ],
    ['an address beside the text', saying({ type: 'text', text: 'a', url: 'https://attacker.example' }), 'text.url'],
    [
      'content that is a container’s upload',
      saying({ type: 'container_upload', file_id: 'f' }),
      'content of type container_upload',
    ],
    ['content of a name that every object has', saying({ type: 'constructor' }), 'content of type constructor'],
    [
      'a search of the web in the conversation',
      saying({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      'content of type server_tool_use',
    ],
    [
      'a system prompt with a picture',
      { ...PLAIN, system: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }] },
      'content of type image',
    ],
    ['another model', { ...PLAIN, model: 'claude-opus-5-5' }, 'the model claude-opus-5-5'],
    ['no model', { messages: [] }, 'a request without a model'],
    ['two models', { ...PLAIN, model: ['claude-sonnet-5-5'] }, 'model'],
    ['no JSON', 'model=x', 'a body that is not JSON'],
    ['a list', '[]', 'a body that is not a JSON object'],
    [
      'deep nesting',
      `{"model":"claude-sonnet-5-5","tools":[{"name":"x","input_schema":${'['.repeat(5_000)}${']'.repeat(5_000)}}]}`,
      'tool x.input_schema',
    ],
    [
      'megabytes of brackets',
      `{"model":"claude-sonnet-5-5","messages":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`,
      'a body of very many or very deep parts',
    ],
    [
      'megabytes of names',
      `{"model":"claude-sonnet-5-5","tools":[{"name":"x","input_schema":{${'"a":1,'.repeat(300_000)}"b":1}}]}`,
      'a body of very many or very deep parts',
    ],
    [
      'megabytes of numbers',
      `{"model":"claude-sonnet-5-5","tools":[{"name":"x","input_schema":[${'1,'.repeat(600_000)}1]}]}`,
      'a body of very many or very deep parts',
    ],
    [
      'megabytes of empty objects',
      `{"messages":[${'{},'.repeat(600_000)}{}]}`,
      'a body of very many or very deep parts',
    ],
  ])('with %s', (_name, fields, what) => expect(refusalOf(fields)).toBe(what));

  it('with a feature that the program does not ask for, however it is written', () => {
    expect(refusalOf(PLAIN, SONNET, 'claude-code-20250219, mcp-client-2025-11-20')).toBe(
      'anthropic-beta mcp-client-2025-11-20',
    );
    expect(refusalOf(PLAIN, SONNET, 'web-fetch-2025-09-10')).toBe('anthropic-beta web-fetch-2025-09-10');
    expect(refusalOf(PLAIN, SONNET, 'claude-code-20250219,interleaved-thinking-2025-05-14')).toBeNull();
  });

  it('by a name that is safe to show', () => {
    expect(refusalOf({ ...PLAIN, [`evil\n\u202e${'x'.repeat(200)}`]: 1 })).toMatch(/^evil·x{70,80}…$/);
  });
});

describe('what is sent on', () => {
  it('holds nothing that was not looked at: of two fields with one name the last', () => {
    const twice = `{"model":"claude-sonnet-5-5","messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://attacker.example","type":"base64","media_type":"m","data":""}}]}]}`;
    expect(refusalOf(twice)).toBe('image.source.url');
    const sent = check(
      `{"model":"claude-opus-5-5","messages":[],"tools":[{"type":"web_fetch_20250910"}],"tools":[],"model":"claude-sonnet-5-5"}`,
    ).bytes.toString();
    expect(sent).toBe('{"model":"claude-sonnet-5-5","messages":[],"tools":[]}');
  });

  it('is the same to the byte for the same request, and for one in the program’s own writing as it came', () => {
    const fields = { ...saying({ type: 'text', text: 'ü \ud83c\udf89 \u2028 "quoted" \\' }), temperature: 0.5 };
    const [first, second] = [check(fields), check(fields)];
    expect([first.bytes.equals(second.bytes), first.bytes.toString()]).toEqual([true, JSON.stringify(fields)]);
  });
});
