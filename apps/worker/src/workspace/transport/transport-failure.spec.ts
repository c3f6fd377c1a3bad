import { FetchFailedError } from '../project/fetch-failure';
import { failureOf, problemOfFailure, refusedAccountText, type EndedTransport } from './transport-failure';

const ended = (values: Partial<EndedTransport>): EndedTransport => ({
  exit: { code: 128, signal: null },
  timedOut: false,
  refused: [],
  text: '',
  host: 'git.example.org',
  accountHost: 'git.example.org:8443',
  protocol: 'https',
  account: null,
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
    ['a disk that ran full', ended({ exit: { code: null, signal: 'SIGKILL', diskFull: true } }), 'GIT_TOO_LARGE'],
    [
      'a pack larger than any file may be',
      ended({ text: 'fatal: write error: File too large\nfatal: fetch-pack: invalid index-pack output' }),
      'GIT_TOO_LARGE',
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

  it.each([
    ["fatal: Authentication failed for 'https://git.example.org/r'", 'GIT_AUTH_FAILED'],
    ['fatal: could not read Username for', 'GIT_AUTH_FAILED'],
    ['fatal: unable to access: The requested URL returned error: 403', 'GIT_AUTH_FAILED'],
    ['git@git.example.org: Permission denied (publickey).', 'GIT_AUTH_FAILED'],
    ['Host key verification failed.\nfatal: Could not read from remote repository.', 'GIT_HOST_KEY_CHANGED'],
    ['ERROR: Repository not found.\nfatal: Could not read from remote repository.', 'SOURCE_NOT_FOUND'],
    ["fatal: '/srv/r' does not appear to be a git repository", 'SOURCE_NOT_FOUND'],
    ['Connection closed by UNKNOWN port 65535', 'SOURCE_UNREACHABLE'],
  ])('%s is %s', (text, code) => expect(failureOf(ended({ text })).code).toBe(code));

  it.each([
    'error: RPC failed; curl 56 GnuTLS recv error (-110): The TLS connection was non-properly terminated.',
    'error: RPC failed; curl 56 GnuTLS recv error (-54): Error in the pull function.\nfatal: early EOF',
    'curl 56 OpenSSL SSL_read: OpenSSL/3.0.2: error:0A000126:SSL routines::unexpected eof while reading, errno 0',
    'curl 55 OpenSSL SSL_write: Connection reset by peer, errno 104',
    'curl 18 transfer closed with outstanding read data remaining',
  ])('a download that is cut is no fault of a certificate: %s', (text) =>
    expect(failureOf(ended({ text }))).toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      detail: expect.stringContaining('broke off') as string,
    }),
  );

  it.each([
    'server certificate verification failed. CAfile: none CRLfile: none',
    'SSL certificate problem: self-signed certificate in certificate chain',
    "SSL: no alternative certificate subject name matches target host name 'git.example.org'",
  ])('a certificate that is not accepted is named: %s', (text) =>
    expect(failureOf(ended({ text })).detail).toContain('CHIRALITY_CA_FILE'),
  );

  it('says whose account was refused, and what to do', () => {
    const text = 'Permission denied (publickey)';
    const said = (values: Partial<EndedTransport>) => failureOf(ended({ text, ...values })).detail;
    expect(said({ protocol: 'ssh' })).toMatch(/no git account for git\.example\.org:8443 with an SSH key. Add one/);
    expect(said({ account: { scope: 'user', username: null, secret: 'x' } })).toMatch(/did not accept your token/);
    expect(said({ protocol: 'ssh', account: { scope: 'team', username: null, secret: 'x' } })).toMatch(
      /the team’s SSH key/,
    );
  });

  it('holds nothing of the secret, however the host spells it', () => {
    const secret = 'glpat-0123456789abcdef';
    const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
    for (const [spelled, username] of [
      [secret, null],
      [base64(secret), null],
      [encodeURIComponent(secret), null],
      [base64(`git:${secret}`), null],
      [base64(`oauth2:${secret}`), 'oauth2'],
    ] as const) {
      const account = { scope: 'user' as const, username, secret };
      const { detail } = failureOf(ended({ text: `fatal: you sent ${spelled}!`, account }));
      expect(detail).toContain('you sent «redacted:');
      expect(detail).not.toContain(spelled);
    }
  });

  it('is a problem that speaks of the host, and a refusal of the account only where it was one', () => {
    const refused = { code: 'GIT_AUTH_FAILED' as const, detail: 'No.' };
    expect(problemOfFailure(refused)).toMatchObject({ code: 'GIT_AUTH_FAILED', detail: 'No.' });
    expect(problemOfFailure({ code: 'SOURCE_ADDRESS_REFUSED', detail: 'x' }).code).toBe('GIT_HOST_FORBIDDEN');
    expect(refusedAccountText(new FetchFailedError(refused))).toBe('No.');
    expect(refusedAccountText(new FetchFailedError({ code: 'SOURCE_UNREACHABLE', detail: 'x' }))).toBeNull();
    expect(refusedAccountText(new Error('x'))).toBeNull();
  });
});
