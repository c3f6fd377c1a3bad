import { oneLine } from './safe-text';

/** Columns as wide as their longest cell, for people; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells
    .map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
