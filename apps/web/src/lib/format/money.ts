/**
 * US dollars for reading: cents where they say enough, four digits below ten cents, and never "0.00" for something that
 * cost a little. The exact amount belongs in a title beside it.
 */
export function formatUsd(amount: string): string {
  const value = Number(amount);
  if (!Number.isFinite(value)) return amount;
  if (value === 0) return '$0';
  const size = Math.abs(value);
  if (size < 0.0001) return '<$0.0001';
  const digits = size < 0.1 ? 4 : size < 10 ? 3 : 2;
  return `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}
