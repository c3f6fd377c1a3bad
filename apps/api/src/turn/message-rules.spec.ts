import type { ProblemError } from '@chirality/platform';
import { bodyHashOf, idempotencyKeyOf, refuseUnfitMessage } from './message-rules';

const codeOf = (act: () => unknown): string | null => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as ProblemError).code;
  }
};

it.each<[string, string, string | null]>([
  ['nothing', '', 'MESSAGE_EMPTY'],
  ['white space', ' \n\t \u2003\ufeff', 'MESSAGE_EMPTY'],
  ['a NUL', '\0', null],
  ['a slash', '/', null],
  ['a dash', '-p', null],
  ['a lone surrogate', '\ud800', null],
  ['exactly 4 MiB', 'a'.repeat(4 * 1024 * 1024), null],
  ['one byte more', 'a'.repeat(4 * 1024 * 1024 + 1), 'MESSAGE_TOO_LARGE'],
  ['fewer characters of more bytes', '語'.repeat(1_398_102), 'MESSAGE_TOO_LARGE'],
  ['as many of those as fit', '語'.repeat(1_398_101), null],
])('a message of %s', (_what, message, code) => {
  expect(codeOf(() => refuseUnfitMessage(message))).toBe(code);
});

it('a key is visible ASCII, or none', () => {
  expect(idempotencyKeyOf(undefined)).toBeUndefined();
  expect(idempotencyKeyOf('4f7c-1')).toBe('4f7c-1');
  for (const key of ['', 'a b', 'é', 'x'.repeat(201)])
    expect(codeOf(() => idempotencyKeyOf(key))).toBe('VALIDATION_FAILED');
});

it('the hash tells requests apart, not spellings of one request', () => {
  const hash = bodyHashOf('message', { message: 'a', options: { model: 'opus', maxTurns: 3 } });
  expect(bodyHashOf('message', { message: 'a', options: { maxTurns: 3, model: 'opus' } })).toBe(hash);
  expect(bodyHashOf('message', { message: 'a', options: { model: 'opus' } })).not.toBe(hash);
  expect(bodyHashOf('message', { message: 'b', options: { model: 'opus', maxTurns: 3 } })).not.toBe(hash);
  expect(bodyHashOf('compact', { message: 'a', options: { model: 'opus', maxTurns: 3 } })).not.toBe(hash);
});
