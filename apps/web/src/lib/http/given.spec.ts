import { given } from './given';

describe('the parameters of a query', () => {
  it('are those that have a value: nothing unknown or empty is in the address', () => {
    expect(given({ a: 'x', b: undefined, c: null, d: '', e: 0, f: false })).toEqual({ a: 'x', e: 0, f: false });
  });
});
