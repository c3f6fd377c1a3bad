import type { UsageSeries } from '@chirality/contracts';

/** The colour of a chart's series at that place: one of seven, and grey for all the others together. */
export function seriesColor(series: UsageSeries['series'], at: number): string {
  return series[at]?.key === null ? 'var(--chart-others)' : `var(--chart-${at + 1})`;
}
