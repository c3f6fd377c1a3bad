/** Digits after the point that every amount is computed and stored with. */
export const MONEY_SCALE = 10;
const UNIT = 10n ** BigInt(MONEY_SCALE);
const MONEY_TEXT = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * An amount of US dollars as a whole number of 10⁻¹⁰ dollars.
 * Throws a RangeError for text that is no decimal amount or carries a digit beyond the tenth.
 */
export function moneyToUnits(money: string): bigint {
  const match = MONEY_TEXT.exec(money);
  const fraction = (match?.[3] ?? '').replace(/0+$/, '');
  if (!match || fraction.length > MONEY_SCALE)
    throw new RangeError(`not an amount of US dollars: ${money.slice(0, 40)}`);
  const units = BigInt(match[2] ?? '0') * UNIT + BigInt(fraction.padEnd(MONEY_SCALE, '0'));
  return match[1] === '-' ? -units : units;
}

/** The canonical text of an amount: no trailing zeros, no exponent, "0" for nothing. */
export function unitsToMoney(units: bigint): string {
  const absolute = units < 0n ? -units : units;
  const fraction = (absolute % UNIT).toString().padStart(MONEY_SCALE, '0').replace(/0+$/, '');
  const text = fraction === '' ? `${absolute / UNIT}` : `${absolute / UNIT}.${fraction}`;
  return units < 0n ? `-${text}` : text;
}

/** The canonical form of any accepted amount: "1.50" becomes "1.5". */
export function normalizeMoney(money: string): string {
  return unitsToMoney(moneyToUnits(money));
}

export function addMoney(a: string, b: string): string {
  return unitsToMoney(moneyToUnits(a) + moneyToUnits(b));
}

export function subtractMoney(a: string, b: string): string {
  return unitsToMoney(moneyToUnits(a) - moneyToUnits(b));
}

export function sumMoney(amounts: Iterable<string>): string {
  let units = 0n;
  for (const amount of amounts) units += moneyToUnits(amount);
  return unitsToMoney(units);
}

/** Negative when `a` is less than `b`, 0 when equal, positive when more. */
export function compareMoney(a: string, b: string): -1 | 0 | 1 {
  const difference = moneyToUnits(a) - moneyToUnits(b);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** `part` of `whole` in whole percent, rounded down; 100 when `whole` is not positive and something was spent. */
export function percentOf(part: string, whole: string): number {
  const spent = moneyToUnits(part);
  const limit = moneyToUnits(whole);
  if (limit <= 0n) return spent > 0n ? 100 : 0;
  return Number((spent * 100n) / limit);
}
