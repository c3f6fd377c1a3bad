import { mergeUsage, readMessage } from './message-usage';

const started = {
  apiMessageId: 'msg_1',
  model: 'claude-sonnet-5',
  inputTokens: 3,
  outputTokens: 1,
  cacheReadTokens: 200,
  cacheWrite5mTokens: 40,
  cacheWrite1hTokens: 60,
  webSearches: 0,
};

describe('usage of a message', () => {
  it('is read from its start with the split of cache writes', () => {
    const usage = {
      input_tokens: 3,
      output_tokens: 1,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 },
    };
    expect(readMessage({ id: 'msg_1', model: 'claude-sonnet-5', usage })).toEqual(started);
  });

  it('takes the counts of a delta as totals and keeps what it omits', () => {
    expect(mergeUsage(started, { output_tokens: 300, server_tool_use: { web_search_requests: 2 } })).toEqual({
      ...started,
      outputTokens: 300,
      webSearches: 2,
    });
    expect(mergeUsage(started, undefined)).toEqual(started);
  });

  it('counts cache writes without a split as five-minute ones, never twice', () => {
    expect(readMessage({ model: 'm', usage: { cache_creation_input_tokens: 100 } })).toMatchObject({
      cacheWrite5mTokens: 100,
      cacheWrite1hTokens: 0,
    });
    expect(mergeUsage(started, { cache_creation_input_tokens: 100 })).toEqual(started);
  });

  it('is none where there is no message, and ignores counts that are no counts', () => {
    expect(readMessage(null)).toBeNull();
    expect(readMessage({ id: 'msg_1' })).toBeNull();
    expect(
      readMessage({ model: 'm', usage: { input_tokens: -1, output_tokens: 'many', cache_read_input_tokens: 1.5 } }),
    ).toMatchObject({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, apiMessageId: null });
    expect(
      mergeUsage(started, {
        input_tokens: 1e12,
        output_tokens: 1e12 + 1,
        cache_read_input_tokens: Number.MAX_SAFE_INTEGER,
      }),
    ).toEqual({ ...started, inputTokens: 1e12 });
  });
});
