import { isId } from '@chirality/contracts';
import { newId } from './new-id';

describe('ids', () => {
  it('have the form of their noun, rise strictly, and never repeat', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('turn'));
    expect(ids.every((id) => isId('turn', id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('use every letter of the alphabet', () => {
    const letters = new Set(Array.from({ length: 200 }, () => newId('user').slice('user_'.length + 10)).join(''));
    expect(letters.size).toBeGreaterThan(20);
  });
});
