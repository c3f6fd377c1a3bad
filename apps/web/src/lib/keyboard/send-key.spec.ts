import { isSendKey } from './send-key';

const key = (changes: object) => ({
  key: 'Enter',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  keyCode: 13,
  nativeEvent: { isComposing: false },
  ...changes,
});

describe('the key that sends', () => {
  it.each([
    ['Enter on a keyboard', {}, false, true],
    ['Enter where fingers type begins a line', {}, true, false],
    ['Shift+Enter begins a line', { shiftKey: true }, false, false],
    ['Ctrl+Enter sends on both', { ctrlKey: true }, true, true],
    ['Command+Enter sends on both', { metaKey: true, shiftKey: false }, false, true],
    ['Enter that ends a composition', { nativeEvent: { isComposing: true } }, false, false],
    ['the same as Safari reports it', { keyCode: 229 }, false, false],
    ['any other key', { key: 'a' }, false, false],
  ])('%s', (_, changes, isTouch, sends) => {
    expect(isSendKey(key(changes), isTouch)).toBe(sends);
  });
});
