import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Drama } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../components/ui/empty-state';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatFull } from '../../../lib/format/time';
import { teamPersonasQuery } from '../persona.api';

/** The personas that the team wrote; `action` is what an empty list offers. */
export function TeamPersonaList({ teamId, action }: { teamId: string; action: ReactNode }) {
  const personas = useQuery(teamPersonasQuery(teamId));
  return (
    <QueryGate query={personas} pending={<SkeletonRows count={3} className="h-16 rounded-lg" />}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState icon={<Drama size={22} />} title="No personas of your own yet" action={action}>
            A persona gives Claude a role: its instructions, which tools it has, which model it uses. The built-in ones
            are there in every project.
          </EmptyState>
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
                    version {persona.version} · {persona.savedBy.name}, {formatFull(persona.updatedAt)}
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
