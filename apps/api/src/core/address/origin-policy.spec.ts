import { isAllowedHost, isAllowedOrigin } from './origin-policy';

const local = { publicUrl: 'http://127.0.0.1:3000' };
const published = { publicUrl: 'https://chirality.example' };

describe('the Host header', () => {
  it.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'LOCALHOST:1'])('takes loopback name %s', (host) => {
    expect(isAllowedHost(host, local)).toBe(true);
  });
  it.each([
    undefined,
    '',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    'a b',
    '10.0.0.1',
  ])('refuses %s', (host) => expect(isAllowedHost(host, local)).toBe(false));
  it('takes the public host and no other', () => {
    expect(isAllowedHost('chirality.example', published)).toBe(true);
    expect(isAllowedHost('chirality.example:443', published)).toBe(true);
    expect(isAllowedHost('other.example', published)).toBe(false);
  });
});

describe('the Origin header', () => {
  it.each([
    ['http://localhost:3000', 'localhost:3000'],
    ['http://127.0.0.1', '127.0.0.1:80'],
    [undefined, 'localhost:3000'],
  ])('takes %s for %s', (origin, host) => expect(isAllowedOrigin(origin, host, local)).toBe(true));
  it.each([
    ['null', 'localhost:3000'],
    ['', 'localhost:3000'],
    ['http://localhost:5173', 'localhost:3000'],
    ['http://localhost.evil.example:3000', 'localhost:3000'],
    ['http://evil.example', 'evil.example'],
    ['file://localhost:3000', 'localhost:3000'],
    ['http://localhost:3000', undefined],
  ])('refuses %s for %s', (origin, host) => expect(isAllowedOrigin(origin, host, local)).toBe(false));
  it('takes the public URL whatever Host the proxy sends', () => {
    expect(isAllowedOrigin('https://chirality.example', '127.0.0.1:3000', published)).toBe(true);
    expect(isAllowedOrigin('http://chirality.example', '127.0.0.1:3000', published)).toBe(false);
  });
});
