import { afterSave } from './after-save';

describe('a field after a save', () => {
  it('shows what the server made of the words', () => {
    expect(afterSave('B\na', 'B\na', 'a\nb')).toBe('a\nb');
  });

  it('keeps what was typed while the save was pending, also where all of it was deleted', () => {
    expect(afterSave('a\nb', 'a', 'a')).toBe('a\nb');
    expect(afterSave('', 'a', 'a')).toBe('');
  });
});
