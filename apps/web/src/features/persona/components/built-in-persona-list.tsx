import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { builtInPersonasQuery } from '../persona.api';
import { ORIGIN_NAMES } from '../persona-names';
import { PersonaRow } from './persona-row';
import { PersonaText } from './persona-text';

/** What every project has from the start, to be read. */
export function BuiltInPersonaList({ teamId }: { teamId: string }) {
  const personas = useQuery(builtInPersonasQuery(teamId));
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <QueryGate query={personas} pending={<SkeletonRows count={6} className="h-16 rounded-lg" />}>
      {(all) => {
        const shown = all.find(({ key }) => key === opened);
        return (
          <>
            <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
              {all.map((persona) => (
                <PersonaRow
                  key={persona.key}
                  persona={persona}
                  mayApprove={false}
                  onOpen={() => setOpened(persona.key)}
                />
              ))}
            </ul>
            {shown !== undefined && (
              <Dialog
                wide
                open
                onOpenChange={(open) => !open && setOpened(null)}
                title={shown.name}
                description={`${ORIGIN_NAMES[shown.origin]}${shown.file === null ? '' : ` · ${shown.file}`}`}
              >
                <PersonaText persona={shown} failure={null} />
              </Dialog>
            )}
          </>
        );
      }}
    </QueryGate>
  );
}
