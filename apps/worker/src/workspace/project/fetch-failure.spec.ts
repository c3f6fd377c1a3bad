import { failureOf, type EndedFetch } from './fetch-failure';

const ended = (values: Partial<EndedFetch>): EndedFetch => ({
  exit: { code: 128, signal: null },
  timedOut: false,
  refused: [],
  text: '',
  host: 'git.example.org',
  limits: { timeoutMs: 900_000, diskBytes: 2 * 1024 ** 3 },
  ...values,
});

describe('why a fetch failed', () => {
  it.each([
    [
      'what the proxy refused goes before what git then said',
      ended({
        refused: [{ host: 'git.example.org', port: 443, decision: 'inward_address' }],
        text: 'fatal: unable to access: CONNECT tunnel failed',
      }),
      'SOURCE_ADDRESS_REFUSED',
    ],
    [
      'a redirect to another host',
      ended({ refused: [{ host: 'cdn.example.org', port: 443, decision: 'not_listed' }] }),
      'SOURCE_REDIRECTED',
    ],
    [
      'an unknown name',
      ended({ refused: [{ host: 'git.example.org', port: 443, decision: 'unresolved' }] }),
      'SOURCE_UNREACHABLE',
    ],
    ['a disk that ran full', ended({ exit: { code: null, signal: 'SIGKILL', diskFull: true } }), 'SOURCE_TOO_LARGE'],
    [
      'a pack larger than any file may be',
      ended({ text: 'fatal: write error: File too large\nfatal: fetch-pack: invalid index-pack output' }),
      'SOURCE_TOO_LARGE',
    ],
    ['time', ended({ exit: { code: null, signal: 'SIGKILL' }, timedOut: true }), 'SOURCE_TIMEOUT'],
    [
      'no sandbox',
      ended({ exit: { code: null, signal: null, startFailure: 'No namespaces here.' } }),
      'SANDBOX_UNAVAILABLE',
    ],
    [
      'a server that is busy',
      ended({ text: 'fatal: unable to access: The requested URL returned error: 503' }),
      'SOURCE_UNREACHABLE',
    ],
    ['nothing that is known', ended({ text: 'fatal: the moon is full' }), 'SOURCE_FAILED'],
  ])('%s', (_what, facts, code) => {
    expect(failureOf(facts)).toMatchObject({ code, detail: expect.stringMatching(/\.$|full$/) as string });
  });

  it('shows of what a host says no more than a line without control characters', () => {
    expect(failureOf(ended({ text: `fatal: \u001b[2J${'x'.repeat(5_000)}` })).detail).toMatch(
      /^Git could not fetch it: fatal: {1,2}\[2Jx{1,300}$/,
    );
  });
});
