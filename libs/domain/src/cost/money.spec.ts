import fc from 'fast-check';
import {
  addMoney,
  compareMoney,
  moneyToUnits,
  normalizeMoney,
  percentOf,
  subtractMoney,
  sumMoney,
  unitsToMoney,
} from './money';

const units = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });

describe('money', () => {
  it('is exact: 10 000 times a hundredth of a cent and 3 dimes are 1.3 dollars', () => {
    expect(sumMoney([...Array<string>(10_000).fill('0.0001'), '0.1', '0.1', '0.1'])).toBe('1.3');
  });

  it('comes back from its text unchanged', () => {
    fc.assert(fc.property(units, (amount) => expect(moneyToUnits(unitsToMoney(amount))).toBe(amount)));
  });

  it('adds, subtracts and compares like whole numbers', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [left, right] = [unitsToMoney(a), unitsToMoney(b)];
        expect(moneyToUnits(addMoney(left, right))).toBe(a + b);
        expect(moneyToUnits(subtractMoney(left, right))).toBe(a - b);
        expect(compareMoney(left, right)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it.each([
    ['0', '0'],
    ['0.0000000000', '0'],
    ['1.50', '1.5'],
    ['007.10', '7.1'],
    ['0.001234', '0.001234'],
    ['0.0000000001', '0.0000000001'],
    ['-0.5', '-0.5'],
    ['-0', '0'],
    ['1.50000000000000', '1.5'],
  ])('%s is written %s', (text, canonical) => expect(normalizeMoney(text)).toBe(canonical));

  it.each(['', '.', '1.', '.5', '1e3', '1,5', ' 1', 'NaN', '0.00000000001', '--1', '+1'])('refuses %j', (text) =>
    expect(() => moneyToUnits(text)).toThrow(RangeError),
  );

  it('counts whole percents of a limit', () => {
    expect(percentOf('4.999', '10')).toBe(49);
    expect(percentOf('5', '10')).toBe(50);
    expect(percentOf('10.01', '10')).toBe(100);
    expect(percentOf('0', '0')).toBe(0);
    expect(percentOf('0.01', '0')).toBe(100);
  });
});
