import type { UsageStack } from '@chirality/contracts';
import { GROUPS, RANGES, rangeFrom, STACKS, type RangeKey } from './usage-choices';
import type { SeriesFilter, UsageFilter } from './usage.api';

type GroupKey = (typeof GROUPS)[number]['value'];

/**
 * The cost page's filters as its address has them, so that a view can be linked and outlives a reload. What is left out
 * is the default.
 */
export type CostSearch = {
  group?: GroupKey | undefined;
  range?: RangeKey | undefined;
  project?: string | undefined;
  stack?: UsageStack | undefined;
};

export const DEFAULT_GROUP: GroupKey = 'user';
export const DEFAULT_RANGE: RangeKey = '30d';
const DEFAULT_STACK: UsageStack = 'user';

/** What an address asks for; what cannot be a filter is left out. */
export function readCostSearch(search: Record<string, unknown>): CostSearch {
  return {
    group: GROUPS.find(({ value }) => value === search['group'])?.value,
    range: RANGES.find(({ key }) => key === search['range'])?.key,
    stack: STACKS.find(({ value }) => value === search['stack'])?.value,
    project: typeof search['project'] === 'string' && search['project'] !== '' ? search['project'] : undefined,
  };
}

/** The same as the server takes it. */
export function usageFilterOf(
  { group = DEFAULT_GROUP, range = DEFAULT_RANGE, project }: CostSearch,
  team: { id: string; timezone: string },
  now: Date,
): UsageFilter {
  return {
    groupBy: group,
    timezone: team.timezone,
    ...rangeFrom(range, now, team.timezone),
    teamId: team.id,
    ...(project !== undefined && { projectId: project }),
  };
}

/** The same for the chart. */
export function seriesFilterOf(search: CostSearch, team: { id: string; timezone: string }, now: Date): SeriesFilter {
  const { groupBy: _, ...filter } = usageFilterOf(search, team, now);
  return { ...filter, stackBy: search.stack ?? DEFAULT_STACK };
}
