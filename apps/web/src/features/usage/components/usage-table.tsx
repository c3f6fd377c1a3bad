import type { UsageReport } from '@chirality/contracts';
import { knownCost } from '@chirality/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { EmptyState } from '../../../components/ui/empty-state';
import { QueryGate } from '../../../components/ui/query-gate';
import { NameText } from '../../../components/text/untrusted-text';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatCount, plural } from '../../../lib/format/count';
import { costHint, costText } from '../../../lib/format/cost';
import { type UsageFilter, usageQuery } from '../usage.api';

type Row = UsageReport['data'][number];

function inputTokens({ usage }: Row): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

function Share({ row, most }: { row: Row; most: number }) {
  const share = most === 0 || row.demo ? 0 : Number(row.costUsd) / most;
  return (
    <div aria-hidden="true" className="h-1.5 w-full rounded-full bg-sunken">
      <div
        className="h-full min-w-0.5 rounded-full bg-accent"
        style={{ width: `${Math.max(0.6, share * 100)}%`, opacity: row.demo ? 0.35 : 1 }}
      />
    </div>
  );
}

function UsageRow({ row, most }: { row: Row; most: number }) {
  return (
    <tr className="border-t border-line">
      <th scope="row" className="max-w-64 px-4 py-2.5 text-start font-normal">
        <span className="flex items-center gap-2">
          <NameText text={row.label === '' ? '–' : row.label} className="truncate font-medium" />
          {row.demo && <Badge title="Demo usage isn’t included in totals.">demo</Badge>}
        </span>
      </th>
      <td className="w-1/3 px-4 max-md:hidden">
        <Share row={row} most={most} />
      </td>
      <td className="px-4 text-end text-muted tabular-nums">{row.turns}</td>
      <td
        className="px-4 text-end text-muted tabular-nums max-md:hidden"
        title={`${inputTokens(row)} tokens in, ${row.usage.outputTokens} out`}
      >
        {formatCount(inputTokens(row))} <span className="text-faint">in</span> {formatCount(row.usage.outputTokens)}{' '}
        <span className="text-faint">out</span>
      </td>
      <td className="px-4 text-end font-medium tabular-nums" title={costHint(row)}>
        {row.demo ? <span className="font-normal text-faint">not charged</span> : costText(row)}
      </td>
    </tr>
  );
}

function Report({ report, rows }: { report: UsageReport; rows: Row[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState icon={<ChartColumn size={22} />} title="No usage in this period">
        The tokens and the cost of each turn appear here.
      </EmptyState>
    );
  }
  const most = Math.max(...rows.map((row) => (row.demo ? 0 : Number(row.costUsd))));
  const total = knownCost(report.totalUsd, report.unpricedMessages);
  const turns = report.totalTurns;
  return (
    <>
      <dl className="flex flex-wrap gap-x-10 gap-y-3 pb-5">
        <div>
          <dt className="text-sm text-muted">Total</dt>
          <dd className="text-2xl font-semibold tracking-tight tabular-nums" title={costHint(total)}>
            {costText(total)}
          </dd>
        </div>
        <div>
          <dt className="text-sm text-muted">Turns</dt>
          <dd className="text-2xl font-semibold tracking-tight tabular-nums">{turns}</dd>
        </div>
      </dl>
      <div className="overflow-x-auto rounded-lg border border-line bg-surface shadow-card">
        <table className="w-full border-collapse">
          <caption className="sr-only">{plural(rows.length, 'row')}</caption>
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="px-4 py-2 text-start font-medium">
                Name
              </th>
              <th scope="col" className="px-4 py-2 max-md:hidden">
                <span className="sr-only">Share</span>
              </th>
              <th scope="col" className="px-4 py-2 text-end font-medium">
                Turns
              </th>
              <th scope="col" className="px-4 py-2 text-end font-medium max-md:hidden">
                Tokens
              </th>
              <th scope="col" className="px-4 py-2 text-end font-medium">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <UsageRow key={`${row.key}/${row.demo}`} row={row} most={most} />
            ))}
          </tbody>
          <tfoot>
            <tr className="border-t border-line-strong font-semibold">
              <th scope="row" className="px-4 py-2.5 text-start">
                Total
              </th>
              <td className="max-md:hidden" />
              <td className="px-4 text-end tabular-nums">{turns}</td>
              <td className="max-md:hidden" />
              <td className="px-4 text-end tabular-nums" title={costHint(total)}>
                {costText(total)}
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      {report.unpricedMessages > 0 && (
        <p className="pt-3 text-sm text-muted">
          {plural(report.unpricedMessages, 'message')} of models without a price not included: what they cost is
          unknown. Add a price for later messages.
        </p>
      )}
      {rows.some((row) => row.demo) && <p className="pt-3 text-sm text-muted">Demo usage isn’t included in totals.</p>}
    </>
  );
}

export function UsageTable({ filter }: { filter: UsageFilter }) {
  const report = useInfiniteQuery(usageQuery(filter));
  return (
    <>
      <QueryGate query={report} pending={<SkeletonRows count={5} className="h-11" />}>
        {({ pages: [first, ...more] }) =>
          first !== undefined && <Report report={first} rows={[first, ...more].flatMap(({ data }) => data)} />
        }
      </QueryGate>
      {report.hasNextPage && (
        <div className="flex justify-center pt-5">
          <Button busy={report.isFetchingNextPage} onClick={() => void report.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
