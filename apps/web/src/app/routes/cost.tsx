import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../components/ui/page';
import { SelectField } from '../../components/ui/field';
import { Segmented } from '../../components/ui/segmented';
import { BudgetsSection } from '../../features/budget/components/budgets-section';
import { projectsQuery } from '../../features/project/api/list-projects';
import { CsvButton } from '../../features/usage/components/csv-button';
import { UsageTable } from '../../features/usage/components/usage-table';
import { DEFAULT_GROUP, DEFAULT_RANGE, usageFilterOf, type CostSearch } from '../../features/usage/cost-search';
import { GROUPS, RANGES, type RangeKey } from '../../features/usage/usage-choices';
import { useTeam } from '../../features/team/hooks/use-team';
import { useTitle } from '../../lib/use-title';

export default function CostPage() {
  useTitle('Cost');
  const team = useTeam();
  const search = useSearch({ from: '/signed-in/cost' });
  const navigate = useNavigate();
  const [openedAt] = useState(() => new Date());
  const projects = (useQuery(projectsQuery).data ?? []).filter(({ teamId }) => teamId === team?.id);
  const filter = team === null ? null : usageFilterOf(search, team, openedAt);
  const change = (changes: CostSearch) => void navigate({ to: '/cost', search: { ...search, ...changes }, replace: true });

  return (
    <Page title="Cost" description={`US dollars; days in ${team?.timezone ?? 'UTC'}.`} actions={filter !== null && <CsvButton filter={filter} />}>
      {team !== null && team.role !== 'viewer' && <BudgetsSection team={team} />}
      <div className="flex flex-wrap items-center justify-between gap-3 pb-5">
        <Segmented label="Grouped by" value={search.group ?? DEFAULT_GROUP} options={GROUPS} onChange={(group) => change({ group })} />
        <div className="flex flex-wrap gap-3">
          <div className="w-44">
            <SelectField label="Project" isLabelHidden value={search.project ?? ''} onChange={({ target }) => change({ project: target.value === '' ? undefined : target.value })}>
              <option value="">All projects</option>
              {search.project !== undefined && !projects.some(({ id }) => id === search.project) && <option value={search.project}>Another project</option>}
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          </div>
          <div className="w-44">
            <SelectField label="Time" isLabelHidden value={search.range ?? DEFAULT_RANGE} onChange={({ target }) => change({ range: target.value as RangeKey })}>
              {RANGES.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </SelectField>
          </div>
        </div>
      </div>
      {filter !== null && <UsageTable filter={filter} />}
    </Page>
  );
}
