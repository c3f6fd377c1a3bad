import type { UsageSeries, UsageStack } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { QueryGate } from '../../../components/ui/query-gate';
import { Segmented } from '../../../components/form/segmented';
import { Skeleton } from '../../../components/ui/skeleton';
import { NameText } from '../../../components/text/untrusted-text';
import { formatUsd } from '../../../lib/format/money';
import { type SeriesFilter, usageSeriesQuery } from '../usage.api';
import { chartSummary, spendingPeriods } from '../chart-periods';
import { seriesColor } from '../series-color';
import { STACKS } from '../usage-choices';

const UsageBars = lazy(() => import('./usage-bars'));

const pending = <Skeleton className="h-55 w-full" />;

function Legend({ series }: { series: UsageSeries['series'] }) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1.5 pt-3 text-sm">
      {series.map(({ key, label, costUsd }, at) => (
        <li key={key ?? ''} className="flex max-w-60 items-center gap-2">
          <span
            aria-hidden="true"
            className="size-2.5 shrink-0 rounded-[3px]"
            style={{ background: seriesColor(series, at) }}
          />
          <NameText text={label} className="truncate" />
          <span className="text-muted tabular-nums" title={`$${costUsd}`}>
            {formatUsd(costUsd)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Chart({ chart }: { chart: UsageSeries }) {
  if (spendingPeriods(chart).length === 0)
    return <p className="py-10 text-center text-muted">No cost in this period.</p>;
  return (
    <>
      {/* The bars are as wide as their box was when last measured, which is after a window became narrower. */}
      <div role="img" aria-label={chartSummary(chart)} className="overflow-x-clip">
        <Suspense fallback={pending}>
          <UsageBars chart={chart} />
        </Suspense>
      </div>
      <Legend series={chart.series} />
    </>
  );
}

/** What was spent when, and by whom or what. The same amounts stand in the table below it. */
export function CostOverTime({ filter, onStack }: { filter: SeriesFilter; onStack(stackBy: UsageStack): void }) {
  const chart = useQuery(usageSeriesQuery(filter));
  return (
    <section aria-labelledby="cost-over-time" className="mb-6 rounded-lg border border-line bg-surface p-4 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-3 pb-3">
        <h2 id="cost-over-time" className="font-semibold">
          {chart.data?.interval === 'month' ? 'Cost per month' : 'Cost per day'}
        </h2>
        <Segmented label="Stacked by" value={filter.stackBy} options={STACKS} onChange={onStack} />
      </div>
      <QueryGate query={chart} pending={pending}>
        {(data) => <Chart chart={data} />}
      </QueryGate>
    </section>
  );
}
