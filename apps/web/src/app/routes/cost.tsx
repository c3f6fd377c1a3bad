import { useState } from 'react';
import { Page } from '../../components/ui/page';
import { SelectField } from '../../components/ui/field';
import { Segmented } from '../../components/ui/segmented';
import { BudgetsSection } from '../../features/budget/components/budgets-section';
import { CsvButton } from '../../features/usage/components/csv-button';
import { UsageTable } from '../../features/usage/components/usage-table';
import { GROUPS, RANGES, rangeFrom, type RangeKey } from '../../features/usage/usage-choices';
import { useTeam } from '../../features/team/hooks/use-team';
import { useTitle } from '../../lib/use-title';

export default function CostPage() {
  useTitle('Cost');
  const team = useTeam();
  const [groupBy, setGroupBy] = useState<(typeof GROUPS)[number]['value']>('user');
  const [range, setRange] = useState<RangeKey>('30d');
  const [openedAt] = useState(() => new Date());
  const timezone = team?.timezone ?? 'UTC';
  const filter = { groupBy, timezone, ...rangeFrom(range, openedAt, timezone), ...(team !== null && { teamId: team.id }) };

  return (
    <Page title="Cost" description={`US dollars; days in ${timezone}.`} actions={team !== null && <CsvButton filter={filter} />}>
      {team !== null && team.role !== 'viewer' && <BudgetsSection team={team} />}
      <div className="flex flex-wrap items-center justify-between gap-3 pb-5">
        <Segmented label="Grouped by" value={groupBy} options={GROUPS} onChange={setGroupBy} />
        <div className="w-44">
          <SelectField label="Time" isLabelHidden value={range} onChange={(event) => setRange(event.target.value as RangeKey)}>
            {RANGES.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
      {team !== null && <UsageTable filter={filter} />}
    </Page>
  );
}
