import { faultInHosts, hostsOfText } from './host-lines';

describe('a list of hosts as it is written', () => {
  it('has one entry a line, or separated by commas', () => {
    expect(hostsOfText(' registry.example.org\n\n*.example.com:8443, git.example.com \n')).toEqual([
      'registry.example.org',
      '*.example.com:8443',
      'git.example.com',
    ]);
  });

  it('says what is wrong with the first that is none', () => {
    expect(faultInHosts(['a.example'])).toBeNull();
    expect(faultInHosts(['a.example', '10.0.0.1', 'x'])).toBe('10.0.0.1 must be a name, not an IP address.');
  });
});
