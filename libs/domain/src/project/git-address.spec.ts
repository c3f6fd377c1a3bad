import { parseGitAddress, whyNoGitAddress } from './git-address';

describe('the address of a git repository', () => {
  it.each([
    ['https://git.example/team/repo.git', 'https://git.example/team/repo.git', 'git.example', 443],
    [' HTTPS://Git.Example./team/repo ', 'https://git.example/team/repo', 'git.example', 443],
    ['https://git.example:8443/r', 'https://git.example:8443/r', 'git.example', 8443],
    ['https://bücher.example/r', 'https://xn--bcher-kva.example/r', 'xn--bcher-kva.example', 443],
    ['https://git.example/a/@scope/r', 'https://git.example/a/@scope/r', 'git.example', 443],
  ])('%s is fetched from %s', (text, url, host, port) => {
    expect(whyNoGitAddress(text)).toBeNull();
    expect(parseGitAddress(text)).toEqual({ url, host, port });
  });

  it.each([
    'http://git.example/r',
    'ssh://git@git.example/r',
    'git://git.example/r',
    'git@git.example:r',
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
  ])('is not %j: only https is spoken', (text) => {
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
    expect(whyNoGitAddress(text)).toMatch(/no user name and no password.*cloned on the server/);
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
});
