import type { UsageSeries } from '@chirality/contracts';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { NameText } from '../../../components/text/untrusted-text';
import { formatUsd } from '../../../lib/format/money';
import { plural } from '../../../lib/format/count';
import { periodText } from '../chart-periods';
import { seriesColor } from '../series-color';

type Period = UsageSeries['periods'][number];
type Labels = UsageSeries['series'];

const AXIS = { tick: { fill: 'var(--text-muted)', fontSize: 12 }, tickLine: false, axisLine: false };

function PeriodCard({ period, labels }: { period: Period; labels: Labels }) {
  const shown = labels.flatMap(({ key, label }, at) =>
    Number(period.costs[at]) === 0 ? [] : [{ key, label, at, cost: period.costs[at] ?? '0' }],
  );
  return (
    <div className="max-w-72 rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-pop">
      <p className="pb-1 font-medium">{periodText(period.key, 'whole')}</p>
      {shown.length === 0 && <p className="text-muted">No cost</p>}
      {shown.map(({ key, label, at, cost }) => (
        <p key={key ?? ''} className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className="size-2.5 shrink-0 rounded-[3px]"
            style={{ background: seriesColor(labels, at) }}
          />
          <NameText text={label} className="truncate" />
          <span className="ms-auto ps-3 tabular-nums">{formatUsd(cost)}</span>
        </p>
      ))}
      {period.unpricedMessages > 0 && (
        <p className="pt-1 text-muted">{plural(period.unpricedMessages, 'message')} with an unknown cost</p>
      )}
    </div>
  );
}

/**
 * The bars alone, so that the chart library is loaded where they are shown. Amounts are drawn as numbers and read as
 * they are.
 */
export default function UsageBars({ chart }: { chart: UsageSeries }) {
  return (
    <ResponsiveContainer width="100%" height={220}>
      <BarChart
        data={chart.periods}
        margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
        barCategoryGap="18%"
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis {...AXIS} dataKey="key" tickFormatter={(key: string) => periodText(key, 'short')} minTickGap={24} />
        <YAxis {...AXIS} width={64} tickFormatter={(amount: number) => formatUsd(String(amount))} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--hover)', stroke: 'none' }}
          content={({ active, payload }) =>
            active && payload[0] ? <PeriodCard period={payload[0].payload as Period} labels={chart.series} /> : null
          }
        />
        {chart.series.map(({ key, label }, at) => (
          <Bar
            key={key ?? ''}
            name={label}
            stackId="cost"
            dataKey={({ costs }: Period) => Number(costs[at])}
            fill={seriesColor(chart.series, at)}
            maxBarSize={48}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
