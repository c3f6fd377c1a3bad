import { median, quantile } from './statistics';

export type Row = { what: string; value: string; aim: string; reached: boolean | null; detail: string };

/** One row of the table: a figure, what it should be, and what it was made of. */
export function ratioRow(
  what: string,
  ratios: readonly number[],
  aim: { most?: number; least?: number },
  detail: string,
): Row {
  const value = median(ratios);
  const spread = `${quantile(ratios, 0.1).toFixed(2)}–${quantile(ratios, 0.9).toFixed(2)}`;
  return { what, value: `${value.toFixed(3)} (${spread})`, ...judged(value, aim, ''), detail };
}

export function figureRow(
  what: string,
  value: number,
  unit: string,
  aim: { most?: number; least?: number },
  detail: string,
): Row {
  return { what, value: `${round(value)} ${unit}`, ...judged(value, aim, ` ${unit}`), detail };
}

export function tableOf(rows: readonly Row[]): string {
  const columns = (row: Row) => [
    row.what,
    row.value,
    row.aim,
    row.reached === null ? '' : row.reached ? 'reached' : 'missed',
    row.detail,
  ];
  const table = [['', 'measured', 'aim', '', 'of'], ...rows.map(columns)];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)));
  return table
    .map(
      (cells) =>
        `${cells
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function judged(
  value: number,
  { most, least }: { most?: number; least?: number },
  unit: string,
): Pick<Row, 'aim' | 'reached'> {
  if (most !== undefined) return { aim: `≤ ${most}${unit}`, reached: value <= most };
  if (least !== undefined) return { aim: `≥ ${least}${unit}`, reached: value >= least };
  return { aim: '', reached: null };
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
