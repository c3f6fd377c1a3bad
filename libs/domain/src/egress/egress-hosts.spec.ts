import { parsePrivateHosts } from './private-hosts';
import { egressHostText, isHostListed, parseEgressHost, whyNoEgressHost } from './egress-hosts';

describe('an entry of the list of hosts', () => {
  it.each([
    ['Registry.Example.com.', 'registry.example.com'],
    [' *.example.com ', '*.example.com'],
    ['git.example.com:8443', 'git.example.com:8443'],
    ['*.example.com:80', '*.example.com:80'],
  ])('%s is kept as %s', (text, kept) => {
    const host = parseEgressHost(text);
    expect(host && egressHostText(host)).toBe(kept);
  });

  it.each([
    ['intranet', /host name/],
    ['https://example.com', /host name/],
    ['example.com/path', /host name/],
    ['*', /host name/],
    ['*.*.com', /host name/],
    ['a.*.com', /host name/],
    ['user@example.com', /host name/],
    ['example.com:', /host name/],
    ['-bad.example.com', /host name/],
    ['[::1]', /host name/],
    ['127.0.0.1', /not an IP address/],
    ['2130706433.1', /not an IP address/],
    ['*.com', /host name/],
    ['metadata.google.internal', /public/],
    ['printer.local', /public/],
    ['app.localhost', /public/],
    ['example.com:22', /port/],
    ['example.com:25', /port/],
    ['example.com:0', /port/],
    ['example.com:65536', /port/],
  ])('%s is refused', (text, why) => {
    expect(whyNoEgressHost(text)).toMatch(why);
    expect(parseEgressHost(text)).toBeNull();
  });
});

it.each(['gitlab', 'code.corp.internal', '*.corp.internal', '10.1.2.3:8443'])(
  'an entry may be %s where the operator lists it as private',
  (text) => {
    expect(parseEgressHost(text)).toBeNull();
    expect(whyNoEgressHost(text, parsePrivateHosts(['gitlab', '*.corp.internal', '10.0.0.0/8']))).toBeNull();
  },
);

describe('whether a host is on the list', () => {
  const list = ['example.com', '*.npm.example', 'git.example:8443'];

  it.each([
    ['example.com', 443],
    ['example.com', 80],
    ['EXAMPLE.com.', 443],
    ['registry.npm.example', 443],
    ['a.b.npm.example', 443],
    ['git.example', 8443],
  ])('%s:%i is', (name, port) => expect(isHostListed(list, name, port)).toBe(true));

  it.each([
    ['www.example.com', 443],
    ['evilexample.com', 443],
    ['example.com.evil.org', 443],
    ['npm.example', 443],
    ['.npm.example', 443],
    ['evilnpm.example', 443],
    ['example.com', 8443],
    ['git.example', 443],
    ['93.184.216.34', 443],
  ])('%s:%i is not', (name, port) => expect(isHostListed(list, name, port)).toBe(false));

  it('nothing is on an empty one', () => expect(isHostListed([], 'example.com', 443)).toBe(false));
});
