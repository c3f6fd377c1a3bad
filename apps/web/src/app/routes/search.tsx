import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { EmptyState } from '../../components/ui/empty-state';
import { Page } from '../../components/ui/page';
import { QueryGate } from '../../components/ui/query-gate';
import { SkeletonRows } from '../../components/ui/skeleton';
import { membersQuery } from '../../features/access/access.api';
import { useTeam } from '../../features/access/hooks/use-team';
import { modelsQuery } from '../../features/model/model.api';
import { builtInPersonasQuery, teamPersonasQuery } from '../../features/persona/persona.api';
import { projectsQuery } from '../../features/project/project.api';
import { HitList } from '../../features/search/components/hit-list';
import { SearchBox } from '../../features/search/components/search-box';
import { SearchFilters } from '../../features/search/components/search-filters';
import { searchFilterOf, type SearchAddress } from '../../features/search/search-address';
import { searchQuery } from '../../features/search/search.api';
import { useTitle } from '../../lib/page/use-title';

/** What was said and done in all sessions that the person may see. The address holds what is searched for. */
export default function SearchPage() {
  const address = useSearch({ from: '/signed-in/search' });
  const navigate = useNavigate();
  useTitle(address.q === undefined ? 'Search' : `${address.q} · Search`);
  const team = useTeam();
  const teamId = team?.id ?? '';
  const projects = useQuery(projectsQuery).data ?? [];
  const people = useQuery({ ...membersQuery(teamId), enabled: team !== null }).data ?? [];
  const own = useQuery({ ...teamPersonasQuery(teamId), enabled: team !== null }).data ?? [];
  const builtIn = useQuery({ ...builtInPersonasQuery(teamId), enabled: team !== null }).data ?? [];
  const models = useQuery(modelsQuery).data ?? [];
  const personas = new Map([...builtIn, ...own].map((persona) => [persona.key, persona]));
  const filter = searchFilterOf(address);
  const found = useInfiniteQuery(searchQuery(filter));
  const search = (next: SearchAddress) => void navigate({ to: '/search', search: next, replace: true });
  return (
    <Page title="Search">
      <div className="stack gap-4">
        <SearchBox
          value={address.q ?? ''}
          onSearch={(q) => search({ ...address, q: q.trim() === '' ? undefined : q })}
        />
        <SearchFilters
          value={address}
          projects={projects}
          people={people}
          personas={[...personas.values()]}
          models={models}
          onChange={search}
        />
      </div>
      {filter.q === '' ? (
        <EmptyState icon={<Search size={22} />} title="Search what was said and done">
          Titles, messages, answers, tool inputs and outputs, and names of files. Put a phrase in quotation marks.
        </EmptyState>
      ) : (
        <QueryGate query={found} pending={<SkeletonRows count={6} className="h-16 rounded-md" />}>
          {({ pages }) => {
            const hits = pages.flatMap(({ data }) => data);
            return (
              <>
                <p role="status" className="sr-only">
                  {hits.length === 0 ? 'No results' : `${hits.length}${found.hasNextPage ? ' or more' : ''} results`}
                </p>
                {hits.length === 0 ? (
                  <EmptyState icon={<Search size={22} />} title="No results">
                    Nothing matches all words and filters. Use fewer words, or look in archived sessions too.
                  </EmptyState>
                ) : (
                  <HitList hits={hits} projects={projects} />
                )}
              </>
            );
          }}
        </QueryGate>
      )}
      {found.hasNextPage && (
        <div className="flex justify-center pt-5">
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  );
}
