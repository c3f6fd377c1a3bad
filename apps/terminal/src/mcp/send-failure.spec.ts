import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { failureSentence, isLostSession, wasNotSent } from './send-failure';

const failed = (cause: unknown) => new TypeError('fetch failed', { cause });
const withCode = (code: string) => Object.assign(new Error(code), { code });
const answered = (status: number, body: string) =>
  new StreamableHTTPError(status, `Error POSTing to endpoint: ${body}`);

describe('a message that the server did not take', () => {
  it.each([
    ['no one listens', failed(withCode('ECONNREFUSED')), true],
    ['none of its addresses answers', failed(new AggregateError([withCode('ECONNREFUSED')])), true],
    ['its name is not found', failed(withCode('ENOTFOUND')), true],
    ['the connection broke, perhaps after it arrived', failed(withCode('ECONNRESET')), false],
    ['it was refused', answered(503, ''), false],
  ])('is sent again only where it never left: %s', (_what, error, isNotSent) => {
    expect(wasNotSent(error)).toBe(isNotSent);
  });

  it('begins another MCP session only where its own is over', () => {
    expect(isLostSession(answered(404, '{}'))).toBe(true);
    expect(isLostSession(answered(403, '{}'))).toBe(false);
    expect(isLostSession(failed(withCode('ECONNRESET')))).toBe(false);
  });

  it('says what the server said, and nothing of a gateway’s page', () => {
    const problem = { code: 'RATE_LIMITED', detail: 'Wait a minute.' };
    expect(failureSentence(answered(429, JSON.stringify(problem)))).toBe('RATE_LIMITED (429): Wait a minute.');
    expect(failureSentence(answered(502, '<html>{oops</html>'))).toBe('The Chirality server answered with status 502.');
    expect(failureSentence(failed(withCode('ECONNREFUSED')))).toContain('cannot be reached');
    expect(failureSentence(failed(withCode('ECONNRESET')))).toContain('Look at what there is');
  });
});
