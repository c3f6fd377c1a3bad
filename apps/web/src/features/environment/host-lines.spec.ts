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
    expect(faultInHosts(['a.example', 'b.example:22', '/'])).toBe(
      'b.example:22 must have port 80, 443 or one from 1024 to 65535.',
    );
  });

  it('leaves to the server what may be a private host that the operator lists', () => {
    expect(faultInHosts(['gitlab', '10.0.0.1', 'code.corp.internal:8443'])).toBeNull();
  });
});
