import type { UsageSeries } from '@chirality/contracts';

/** A period's key, `2026-03-09` or `2026-03`, for reading: short on an axis, whole above its amounts. */
export function periodText(key: string, length: 'short' | 'whole'): string {
  const isMonth = key.length === 'YYYY-MM'.length;
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    month: 'short',
    ...(!isMonth && { day: 'numeric' }),
    ...((isMonth || length === 'whole') && { year: 'numeric' }),
    ...(!isMonth && length === 'whole' && { weekday: 'short' }),
  }).format(new Date(isMonth ? `${key}-01` : key));
}

/** Which of the periods had any cost, or something of which the cost is unknown. */
export function spendingPeriods({ periods }: UsageSeries): UsageSeries['periods'] {
  return periods.filter(
    ({ costs, unpricedMessages }) => unpricedMessages > 0 || costs.some((cost) => Number(cost) !== 0),
  );
}

/** What a chart says, in one sentence, for those who do not see it. */
export function chartSummary(series: UsageSeries): string {
  const spending = spendingPeriods(series);
  const total = ({ costs }: UsageSeries['periods'][number]) => costs.reduce((sum, cost) => sum + Number(cost), 0);
  const highest = spending.reduce<UsageSeries['periods'][number] | null>(
    (most, one) => (most === null || total(one) > total(most) ? one : most),
    null,
  );
  const unit = series.interval === 'day' ? 'days' : 'months';
  const summary = `Cost on ${spending.length} of ${series.periods.length} ${unit}.`;
  return highest === null ? summary : `${summary} Highest: ${periodText(highest.key, 'whole')}.`;
}
