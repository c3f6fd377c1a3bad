import { clientHeaders, upstreamHeaders } from './headers';

describe('headers through the gateway', () => {
  it('sends upstream the key and what the service needs, and no other credential, cookie or hop-by-hop header', () => {
    const asked = {
      host: 'model.gateway',
      connection: 'keep-alive, x-stainless-secret',
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': '7',
      'transfer-encoding': 'chunked',
      'accept-encoding': 'gzip, br',
      'user-agent': 'claude-cli/2',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
      'anthropic-api-key': 'theirs',
      'x-stainless-lang': 'js',
      'x-stainless-secret': 'named as a hop-by-hop header',
      'x-claude-code-session-id': 's',
      'x-app': 'cli',
      'x-api-key': 'chirality-turn-token',
      authorization: 'Bearer chirality-turn-token',
      cookie: 'a=b',
      'proxy-authorization': 'Basic x',
      'x-forwarded-for': '10.0.0.1',
      'x-litellm-api-key': 'other',
    };
    expect(upstreamHeaders(asked, 'api.example', 'real-key', 42)).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'claude-cli/2',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
      'x-stainless-lang': 'js',
      'x-claude-code-session-id': 's',
      'x-app': 'cli',
      host: 'api.example',
      'x-api-key': 'real-key',
      'accept-encoding': 'identity',
      'content-length': 42,
    });
  });

  it('answers without cookies, the account, hop-by-hop headers or anything that quotes the key', () => {
    const answered = {
      'content-type': 'text/event-stream',
      'request-id': 'req_1',
      'retry-after': '3',
      'anthropic-ratelimit-requests-remaining': '9',
      'anthropic-organization-id': 'org',
      'set-cookie': ['a=b'],
      connection: 'close',
      'transfer-encoding': 'chunked',
      'content-length': '12',
      'x-debug': 'key was real-key',
    };
    expect(clientHeaders(answered, 'real-key')).toEqual({
      'content-type': 'text/event-stream',
      'request-id': 'req_1',
      'retry-after': '3',
      'anthropic-ratelimit-requests-remaining': '9',
    });
  });
});
