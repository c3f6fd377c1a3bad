import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatMinute } from '../../../lib/format/time';
import { teamPersonasQuery } from '../persona.api';

/** The personas that the team wrote. */
export function TeamPersonaList({ teamId }: { teamId: string }) {
  const personas = useQuery(teamPersonasQuery(teamId));
  return (
    <QueryGate query={personas} pending={<SkeletonRows count={3} className="h-16 rounded-lg" />}>
      {(all) =>
        all.length === 0 ? (
          <div className="rounded-lg border border-dashed border-line-strong px-4 py-3.5">
            <h3 className="font-medium">No personas of your own yet</h3>
            <p className="text-sm text-muted">
              A persona gives Claude a role: its instructions, which tools it has, which model it uses.
            </p>
          </div>
        ) : (
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {all.map((persona) => (
              <li key={persona.id}>
                <Link
                  to="/personas/$personaId"
                  params={{ personaId: persona.id }}
                  className="flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover"
                >
                  <span className="min-w-0 flex-1 basis-60">
                    <span className="font-medium">{persona.name}</span>{' '}
                    <code className="font-mono text-sm text-faint">{persona.key}</code>
                    <span className="mt-0.5 block text-sm text-muted">{persona.description}</span>
                  </span>
                  <span className="text-sm text-faint">
                    version {persona.version} · {persona.savedBy.name}, {formatMinute(persona.updatedAt)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </QueryGate>
  );
}
