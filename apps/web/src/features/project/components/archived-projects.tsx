import { useQuery } from '@tanstack/react-query';
import { ArchiveRestore } from 'lucide-react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { FailureText } from '../../../components/text/failure-text';
import { archivedProjectsQuery, useRestoreProject } from '../project.api';

/** The projects that were archived, each with a way back. */
export function ArchivedProjects({ teamId, mayRestore }: { teamId: string | undefined; mayRestore: boolean }) {
  const projects = useQuery(archivedProjectsQuery);
  const restore = useRestoreProject();
  return (
    <QueryGate query={projects} pending={<SkeletonRows count={2} className="h-14 rounded-lg" />}>
      {(all) => {
        const data = all.filter((project) => teamId === undefined || project.teamId === teamId);
        return (
          <>
            {restore.isError && (
              <Callout tone="bad" role="alert" className="mb-2">
                <FailureText error={restore.error} />
              </Callout>
            )}
            {data.length === 0 && <p className="py-4 text-muted">No archived projects.</p>}
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {data.map((project) => (
                <li
                  key={project.id}
                  className="flex items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3"
                >
                  <span className="min-w-0 flex-1 truncate font-medium">{project.name}</span>
                  {mayRestore && (
                    <Button
                      size="small"
                      icon={<ArchiveRestore size={15} />}
                      busy={restore.isPending && restore.variables === project.id}
                      onClick={() => restore.mutate(project.id)}
                    >
                      Restore
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </QueryGate>
  );
}
