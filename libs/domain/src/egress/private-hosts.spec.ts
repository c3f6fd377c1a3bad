import { mayReachAddress, parsePrivateHosts } from './private-hosts';

const listed = parsePrivateHosts(['git.corp.example', '*.lan.example', '10.1.0.0/16', 'fd12::/16', '127.0.0.7']);

describe('where a name may lead with the operator’s list', () => {
  it.each([
    ['anything.example', '93.184.216.34'],
    ['anything.example', '10.1.2.3'],
    ['anything.example', 'fd12::5'],
    ['anything.example', '127.0.0.7'],
    ['git.corp.example', '10.9.9.9'],
    ['git.corp.example', '192.168.1.1'],
    ['git.corp.example', 'fd99::1'],
    ['a.b.lan.example', '172.16.0.1'],
  ])('%s may lead to %s', (name, address) => expect(mayReachAddress(listed, name, address)).toBe(true));

  it.each([
    ['anything.example', '10.2.0.1'],
    ['anything.example', '192.168.1.1'],
    ['anything.example', '127.0.0.1'],
    ['lan.example', '172.16.0.1'],
    ['evilgit.corp.example', '10.9.9.9'],
    ['git.corp.example', '127.0.0.1'],
    ['git.corp.example', '169.254.169.254'],
    ['git.corp.example', '168.63.129.16'],
    ['git.corp.example', '::1'],
    ['git.corp.example', 'fe80::1'],
    ['git.corp.example', '::ffff:10.0.0.1'],
    ['git.corp.example', '0.0.0.0'],
  ])('%s may not lead to %s', (name, address) => expect(mayReachAddress(listed, name, address)).toBe(false));

  it('is nowhere private without one', () =>
    expect(mayReachAddress(parsePrivateHosts([]), 'git.corp.example', '10.1.2.3')).toBe(false));

  it.each(['10.0.0.0/33', '10.0.0.0/x', '10.0.0', 'https://git.example', 'git.example:22', '*', 'a b', '::/129', ''])(
    'takes no entry %j',
    (entry) => expect(() => parsePrivateHosts([entry])).toThrow(/neither a host name nor/),
  );
});
