import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Page } from '../../components/ui/page';
import { SelectField } from '../../components/form/field';
import { Segmented } from '../../components/form/segmented';
import { BudgetsSection } from '../../features/budget/components/budgets-section';
import { projectsQuery } from '../../features/project/project.api';
import { CostOverTime } from '../../features/usage/components/cost-over-time';
import { CsvButton } from '../../features/usage/components/csv-button';
import { UsageTable } from '../../features/usage/components/usage-table';
import {
  DEFAULT_GROUP,
  DEFAULT_RANGE,
  seriesFilterOf,
  usageFilterOf,
  type CostSearch,
} from '../../features/usage/cost-search';
import { GROUPS, RANGES, type RangeKey } from '../../features/usage/usage-choices';
import { useTeam } from '../../features/access/hooks/use-team';
import { useTitle } from '../../lib/page/use-title';

export default function CostPage() {
  useTitle('Cost');
  const team = useTeam();
  const search = useSearch({ from: '/signed-in/cost' });
  const navigate = useNavigate();
  const [openedAt] = useState(() => new Date());
  const projects = (useQuery(projectsQuery).data ?? []).filter(({ teamId }) => teamId === team?.id);
  const filter = team === null ? null : usageFilterOf(search, team, openedAt);
  const chart = team === null ? null : seriesFilterOf(search, team, openedAt);
  const change = (changes: CostSearch) =>
    void navigate({ to: '/cost', search: { ...search, ...changes }, replace: true });

  return (
    <Page
      title="Cost"
      description={`US dollars; days in ${team?.timezone ?? 'UTC'}.`}
      actions={filter !== null && <CsvButton filter={filter} />}
    >
      {team !== null && team.role !== 'viewer' && <BudgetsSection team={team} projects={projects} />}
      <div className="flex flex-wrap gap-3 pb-5">
        <Choice
          label="Project"
          value={search.project ?? ''}
          onChoose={(project) => change({ project: project === '' ? undefined : project })}
        >
          <option value="">All projects</option>
          {search.project !== undefined && !projects.some(({ id }) => id === search.project) && (
            <option value={search.project}>Another project</option>
          )}
          <Options of={projects.map(({ id, name }) => ({ key: id, label: name }))} />
        </Choice>
        <Choice
          label="Time"
          value={search.range ?? DEFAULT_RANGE}
          onChoose={(range) => change({ range: range as RangeKey })}
        >
          <Options of={RANGES} />
        </Choice>
      </div>
      {chart !== null && <CostOverTime filter={chart} onStack={(stack) => change({ stack })} />}
      {filter !== null && (
        <section aria-labelledby="cost-by">
          <div className="flex flex-wrap items-center justify-between gap-3 pb-4">
            <h2 id="cost-by" className="font-semibold">
              Cost by {GROUPS.find(({ value }) => value === filter.groupBy)?.label.toLowerCase()}
            </h2>
            <Segmented
              label="Grouped by"
              value={search.group ?? DEFAULT_GROUP}
              options={GROUPS}
              onChange={(group) => change({ group })}
            />
          </div>
          <UsageTable filter={filter} />
        </section>
      )}
    </Page>
  );
}

function Choice({
  label,
  value,
  onChoose,
  children,
}: {
  label: string;
  value: string;
  onChoose(value: string): void;
  children: ReactNode;
}) {
  return (
    <div className="w-44 max-phone:w-auto max-phone:flex-1">
      <SelectField label={label} isLabelHidden value={value} onChange={({ target }) => onChoose(target.value)}>
        {children}
      </SelectField>
    </div>
  );
}

function Options({ of }: { of: readonly { key: string; label: string }[] }) {
  return of.map(({ key, label }) => (
    <option key={key} value={key}>
      {label}
    </option>
  ));
}
