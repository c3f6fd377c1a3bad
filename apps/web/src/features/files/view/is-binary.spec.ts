import { isBinary } from './is-binary';

it.each([
  ['utf8', 'text ⟨é⟩\r\n', false],
  ['utf8', '', false],
  ['utf8', 'a\0b', true],
  ['utf8', '%PDF-1.4\n', true],
  ['base64', '/wA=', true],
] as const)('a file that arrives as %s with %j is binary: %s', (encoding, content, expected) => {
  expect(isBinary({ encoding, content })).toBe(expected);
});
