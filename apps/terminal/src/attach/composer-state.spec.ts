import { edit, EMPTY, type Composed, type Key } from './composer-state';

const after = (...keys: [string, Key?][]): Composed =>
  keys.reduce<Composed>((state, [input, key]) => edit(state, input, key ?? {}) ?? state, EMPTY);

describe('the composer', () => {
  it('takes what is typed and pasted, without control sequences', () => {
    expect(after(['he'], ['llo\r\nyou']).text).toBe('hello\nyou');
    expect(after(['a\u001b[2Jb\u0007']).text).toBe('a[2Jb');
  });

  it('moves and removes whole characters', () => {
    expect(after(['a😀b'], ['', { leftArrow: true }], ['', { backspace: true }])).toEqual({ text: 'ab', caret: 1 });
    expect(after(['😀'], ['', { leftArrow: true }], ['', { leftArrow: true }], ['x'])).toEqual({
      text: 'x😀',
      caret: 1,
    });
    expect(after(['x'], ['', { delete: true }], ['', { delete: true }])).toEqual(EMPTY);
  });

  it('knows the usual keys of a shell', () => {
    expect(after(['one two'], ['w', { ctrl: true }]).text).toBe('one ');
    expect(after(['one'], ['j', { ctrl: true }], ['two'], ['u', { ctrl: true }]).text).toBe('one\n');
    expect(after(['one'], ['a', { ctrl: true }], ['k', { ctrl: true }])).toEqual(EMPTY);
    expect(after(['one'], ['a', { ctrl: true }], ['e', { ctrl: true }], ['!']).text).toBe('one!');
  });
});
