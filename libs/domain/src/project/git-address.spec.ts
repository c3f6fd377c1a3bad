import { parsePrivateHosts } from '../egress';
import { gitHostOf, isBranchName, parseGitAddress, parseGitHost, whyNoGitAddress } from './git-address';

describe('the address of a git repository', () => {
  it.each([
    ['https://git.example/team/repo.git', 'https://git.example/team/repo.git', 'git.example', 443],
    [' HTTPS://Git.Example./team/repo ', 'https://git.example/team/repo', 'git.example', 443],
    ['https://git.example:8443/r', 'https://git.example:8443/r', 'git.example', 8443],
    ['https://bücher.example/r', 'https://xn--bcher-kva.example/r', 'xn--bcher-kva.example', 443],
    ['https://git.example/a/@scope/r', 'https://git.example/a/@scope/r', 'git.example', 443],
  ])('%s is fetched from %s', (text, url, host, port) => {
    expect(whyNoGitAddress(text)).toBeNull();
    expect(parseGitAddress(text)).toEqual({ url, protocol: 'https', host, port, user: null });
  });

  it.each([
    ['git@git.example:team/repo.git', 'git@git.example:team/repo.git', 'git.example', 22, 'git'],
    ['ada@Git.Example:/srv/repo', 'ada@git.example:/srv/repo', 'git.example', 22, 'ada'],
    ['ssh://git@Git.Example./team/repo.git', 'ssh://git@git.example/team/repo.git', 'git.example', 22, 'git'],
    ['ssh://git@git.example:2222/r', 'ssh://git@git.example:2222/r', 'git.example', 2222, 'git'],
    ['ssh://git@git.example:22/r', 'ssh://git@git.example/r', 'git.example', 22, 'git'],
    ['ssh://git.example/~ada/r', 'ssh://git.example/~ada/r', 'git.example', 22, null],
  ])('%s is fetched over ssh from %s', (text, url, host, port, user) => {
    expect(whyNoGitAddress(text)).toBeNull();
    expect(parseGitAddress(text)).toEqual({ url, protocol: 'ssh', host, port, user });
  });

  it.each([
    'ssh://git:s3cret@git.example/r',
    '-oProxyCommand=id@git.example:r',
    'ssh://-oProxyCommand=id@git.example/r',
    'a b@git.example:r',
    'git@-oProxyCommand=id:r',
  ])('over ssh is not %s', (text) => {
    expect(whyNoGitAddress(text)).not.toBeNull();
    expect(whyNoGitAddress(text)).not.toContain('s3cret');
    expect(parseGitAddress(text)).toBeNull();
  });

  it.each([
    'http://git.example/r',
    'git://git.example/r',
    'git@git.example:-r',
    'git@git.example::r',
    'ssh://git.example/-r',
    'ssh:///r',
    'git@:r',
    'file:///etc',
    '/etc',
    'ext::sh -c id',
    'ext::https://git.example/r',
    'fd::17',
    '--upload-pack=x',
    '-uhttps://git.example/r',
    'https:git.example/r',
    'https:///git.example/r',
    'https://git.exam\nple/r',
    'https://git.example\\@evil.example/r',
    'https://git.example/r\0',
    '',
  ])('is not %j: only https and ssh are spoken', (text) => {
    expect(whyNoGitAddress(text)).toMatch(/must start with https:/);
    expect(parseGitAddress(text)).toBeNull();
  });

  it.each([
    'https://user:s3cret@git.example/r',
    'https://s3cret@git.example/r',
    'https://:s3cret@git.example/r',
    'https://@git.example/s3cret',
    'https://s3cret%40git.example@git.example',
  ])('holds no credentials: %s', (text) => {
    expect(whyNoGitAddress(text)).toMatch(/no user name and no password.*add a git account/);
    expect(whyNoGitAddress(text)).not.toContain('s3cret');
  });

  it.each(['https://git.example/r?private_token=s3cret', 'https://git.example/r#s3cret'])(
    'ends with a path: %s',
    (text) => {
      expect(whyNoGitAddress(text)).toMatch(/without \? or #/);
      expect(whyNoGitAddress(text)).not.toContain('s3cret');
    },
  );

  it.each([
    'https://localhost/r',
    'https://intranet/r',
    'https://127.0.0.1/r',
    'https://2130706433/r',
    'https://0x7f.1/r',
    'https://0177.0.0.1/r',
    'https://[::1]/r',
    'https://[::ffff:127.0.0.1]/r',
    'https://169.254.169.254/r',
    'https://metadata.google.internal/r',
    'https://printer.local/r',
    'https://a.localhost./r',
    'https://*.example.com/r',
    'https://git.example:22/r',
  ])('names a public host, which %s is not', (text) => {
    expect(whyNoGitAddress(text)).toMatch(/^The host in the git address must /);
    expect(parseGitAddress(text)).toBeNull();
  });

  it.each([
    ['https://gitlab/r', 'gitlab', 443],
    ['https://10.0.0.5:8443/r', '10.0.0.5', 8443],
    ['git@code.corp.internal:r', 'code.corp.internal', 22],
    ['ssh://git@10.9.8.7/r', '10.9.8.7', 22],
  ])('names a private host that the operator lists: %s', (text, host, port) => {
    const listed = parsePrivateHosts(['gitlab', '*.corp.internal', '10.0.0.0/8']);
    expect(parseGitAddress(text)).toBeNull();
    expect(parseGitAddress(text, listed)).toMatchObject({ host, port });
    expect(parseGitAddress('https://192.168.0.1/r', listed)).toBeNull();
    expect(parseGitAddress('https://corp.internal/r', listed)).toBeNull();
  });
});

describe('the host of a git account', () => {
  it.each([
    ['Git.Example.', 'token', 'git.example'],
    ['https://git.example/', 'token', 'git.example'],
    ['git.example:443', 'token', 'git.example'],
    ['git.example:8443', 'token', 'git.example:8443'],
    ['git.example:22', 'ssh', 'git.example'],
    ['git.example:2222', 'ssh', 'git.example:2222'],
  ] as const)('%s of the kind %s is %s', (text, kind, host) => expect(parseGitHost(text, kind)).toBe(host));

  it.each(['', 'git.example/team', 'user@git.example', 'localhost', '127.0.0.1', 'git.example:70000', '*.example.com'])(
    'is not %j',
    (text) => expect(parseGitHost(text, 'token')).toBeNull(),
  );

  it('is that of an address', () => {
    const hosts = [
      'https://git.example/r',
      'https://git.example:8443/r',
      'git@git.example:r',
      'ssh://git.example:22/r',
    ];
    expect(hosts.map((text) => parseGitAddress(text)).map((address) => address && gitHostOf(address))).toEqual([
      'git.example',
      'git.example:8443',
      'git.example',
      'git.example',
    ]);
  });
});

describe('the name of a branch', () => {
  it.each(['main', 'feature/x-1', 'ä/ö', '功能', 'v1.2', 'a@b'])('may be %s', (name) =>
    expect(isBranchName(name)).toBe(true),
  );
  it.each([
    '',
    '-x',
    'a b',
    'a..b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.',
    'a.lock',
    'a.lock/b',
    '@',
    'a@{1}',
    'HEAD',
    'a\u0007',
    'x'.repeat(251),
  ])('may not be %j', (name) => expect(isBranchName(name)).toBe(false));
});
