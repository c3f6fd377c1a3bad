import type { Persona } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { personasQuery } from '../persona.api';
import { PersonaDialog } from './persona-dialog';
import { PersonaRow } from './persona-row';

/** All personas that a key could mean in a project, with its own ones to be approved. */
export function ProjectPersonaList({ projectId, mayApprove }: { projectId: string; mayApprove: boolean }) {
  const personas = useQuery(personasQuery(projectId));
  const [opened, setOpened] = useState<string | null>(null);
  const own = (all: Persona[]) => all.some(({ origin }) => origin === 'project');
  return (
    <QueryGate query={personas} pending={<SkeletonRows count={6} className="h-16 rounded-lg" />}>
      {({ data, notice }) => (
        <div className="stack gap-4">
          {notice !== null && (
            <Callout
              tone="warn"
              role="status"
              actions={
                <Button size="small" busy={personas.isFetching} onClick={() => void personas.refetch()}>
                  Try again
                </Button>
              }
            >
              {notice}
            </Callout>
          )}
          {notice === null && !own(data) && (
            <Callout>
              This project has no own personas. To add one, commit a file{' '}
              <code className="font-mono text-sm">agents/AGENT_NAME.md</code>.
            </Callout>
          )}
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {data.map((persona) => (
              <PersonaRow
                key={`${persona.origin} ${persona.file ?? persona.key}`}
                persona={persona}
                mayApprove={mayApprove}
                onOpen={() => setOpened(persona.key)}
              />
            ))}
          </ul>
          {opened !== null && (
            <PersonaDialog
              projectId={projectId}
              personaKey={opened}
              mayApprove={mayApprove}
              onClose={() => setOpened(null)}
            />
          )}
        </div>
      )}
    </QueryGate>
  );
}
