import type { UsageSeries } from '@chirality/contracts';
import { chartSummary, periodText, spendingPeriods } from './chart-periods';

const chart: UsageSeries = {
  interval: 'day',
  series: [{ key: 'a', label: 'A', costUsd: '3' }],
  periods: [
    { key: '2026-03-08', costs: ['1'], unpricedMessages: 0 },
    { key: '2026-03-09', costs: ['2'], unpricedMessages: 0 },
    { key: '2026-03-10', costs: ['0'], unpricedMessages: 0 },
    { key: '2026-03-11', costs: ['0'], unpricedMessages: 1 },
  ],
};

describe('the periods of a chart', () => {
  it('are named as dates, whatever the zone of the reader', () => {
    expect([
      periodText('2026-03-09', 'short'),
      periodText('2026-03-09', 'whole'),
      periodText('2026-03', 'short'),
    ]).toEqual(['9 Mar', 'Mon, 9 Mar 2026', 'Mar 2026']);
  });

  it('are summed up in words, with those of which the cost is unknown', () => {
    expect(spendingPeriods(chart).map(({ key }) => key)).toEqual(['2026-03-08', '2026-03-09', '2026-03-11']);
    expect(chartSummary(chart)).toBe('Cost on 3 of 4 days. Highest: Mon, 9 Mar 2026.');
    expect(chartSummary({ interval: 'month', series: [], periods: [] })).toBe('Cost on 0 of 0 months.');
  });
});
