import { safeNext } from './safe-next';

describe('where to go after signing in', () => {
  it.each([
    ['/sessions/sess_1?tab=files#end', '/sessions/sess_1?tab=files#end'],
    ['/', '/'],
  ])('is %s', (next, where) => {
    expect(safeNext(next)).toBe(where);
  });

  it.each([
    undefined,
    '',
    'x',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    '/\t\\evil.example',
  ])('is the start page, never another site, for %j', (next) => {
    expect(safeNext(next)).toBe('/');
  });
});
