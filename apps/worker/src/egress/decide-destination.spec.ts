import { isPublicAddress, parsePrivateHosts } from '@chirality/domain';
import { networkWithPrivateHosts } from './public-network';
import { decideDestination, parseAuthority } from './decide-destination';
import type { EgressNetwork, ResolvedAddress } from './egress.types';

/** A resolver that answers from a table, in which a name may lead anywhere. */
function networkOf(names: Record<string, string[]>): EgressNetwork & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name) => {
      asked.push(name);
      return (names[name] ?? []).map((address): ResolvedAddress => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
    },
    mayReach: isPublicAddress,
  };
}

describe('where a sandbox may connect to', () => {
  const hosts = ['public.example', 'twofold.example', 'inward.example', 'nowhere.example'];
  const network = () =>
    networkOf({
      'public.example': ['93.184.216.34', '2606:4700::1'],
      'twofold.example': ['93.184.216.34', '10.0.0.1'],
      'inward.example': ['169.254.169.254'],
    });

  it('is a listed name, at the addresses that it was resolved to', async () => {
    expect(await decideDestination({ host: 'public.example', port: 443 }, hosts, network())).toEqual({
      decision: 'allowed',
      addresses: [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
    });
  });

  it.each([
    ['a name that leads inwards', 'inward.example', 'inward_address'],
    ['a name of which one address leads inwards', 'twofold.example', 'inward_address'],
    ['a name that leads nowhere', 'nowhere.example', 'unresolved'],
  ])('is not %s', async (_what, host, decision) => {
    expect(await decideDestination({ host, port: 443 }, hosts, network())).toEqual({ decision });
  });

  it('may be a private address that the operator lists, decided at each connection', async () => {
    const { mayReach } = networkWithPrivateHosts(parsePrivateHosts(['twofold.example', '10.9.0.0/16']));
    const decide = (host: string, names: Record<string, string[]>) =>
      decideDestination({ host, port: 443 }, hosts, { ...networkOf(names), mayReach });
    expect(await decide('twofold.example', { 'twofold.example': ['10.0.0.1'] })).toMatchObject({ decision: 'allowed' });
    expect(await decide('public.example', { 'public.example': ['10.9.1.2'] })).toMatchObject({ decision: 'allowed' });
    for (const address of ['127.0.0.1', '169.254.169.254', '::1'])
      expect(await decide('twofold.example', { 'twofold.example': ['10.0.0.1', address] })).toEqual({
        decision: 'inward_address',
      });
    expect(await decide('public.example', { 'public.example': ['10.0.0.1'] })).toEqual({ decision: 'inward_address' });
  });

  it('is no other name, which is not even asked for', async () => {
    const other = network();
    expect(await decideDestination({ host: 'secret-data.evil.example', port: 443 }, hosts, other)).toEqual({
      decision: 'not_listed',
    });
    expect(other.asked).toEqual([]);
  });
});

describe('what CONNECT names', () => {
  it.each([
    ['Example.com:443', { host: 'example.com', port: 443 }],
    ['example.com.:8443', { host: 'example.com', port: 8443 }],
    ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
  ])('%s is a host and a port', (authority, destination) => expect(parseAuthority(authority)).toEqual(destination));

  it.each([
    'example.com',
    ':443',
    'example.com:',
    'example.com:0',
    'example.com:70000',
    '[::1]:443',
    'a@example.com:443',
    'http://example.com:443',
    'example.com:443/x',
    'exa mple.com:443',
  ])('%s is neither', (authority) => {
    expect(parseAuthority(authority)).toBeNull();
  });
});
