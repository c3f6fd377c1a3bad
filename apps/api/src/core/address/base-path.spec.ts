import { basePathOf, withoutBasePath } from './base-path';

describe('the base path', () => {
  it.each([
    ['https://host', ''],
    ['https://host/tools/chirality', '/tools/chirality'],
    ['http://host:3000/', ''],
  ])('of %s is "%s"', (publicUrl, expected) => {
    expect(basePathOf({ publicUrl })).toBe(expected);
  });

  it.each([
    ['/tools/chirality/v1/me?x=1', '/v1/me?x=1'],
    ['/tools/chirality', '/'],
    ['/tools/chirality?next=1', '/?next=1'],
    ['/tools/chirality-old/v1', '/tools/chirality-old/v1'],
    ['/v1/me', '/v1/me'],
    ['/', '/'],
  ])('is taken off %s, which leaves %s', (url, expected) => {
    expect(withoutBasePath(url, '/tools/chirality')).toBe(expected);
  });
});
