import { usableEgressHosts } from './egress-rules';

describe('a list of hosts', () => {
  it('is kept in one spelling, each entry once', () => {
    expect(usableEgressHosts(['Registry.example.org', '*.example.com:8443', 'registry.example.org.'])).toEqual([
      '*.example.com:8443',
      'registry.example.org',
    ]);
    expect(usableEgressHosts([])).toEqual([]);
  });

  it('is refused with what is wrong with each entry', () => {
    expect(() => usableEgressHosts(['good.example', '127.0.0.1', 'good.example:22'])).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        extra: {
          errors: [
            { path: 'hosts.1', message: '127.0.0.1 must be a name, not an IP address' },
            { path: 'hosts.2', message: 'good.example:22 must have port 80, 443 or one from 1024 to 65535' },
          ],
        },
      }) as Error,
    );
  });
});
