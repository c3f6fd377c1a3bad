import type { PersonaVersion, TeamPersona } from '@chirality/contracts';
import { diffTexts } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatMinute } from '../../../lib/format/time';
import { DiffView } from '../../../components/diff/diff-view';
import { personaVersionsQuery } from '../persona.api';

type Props = { persona: TeamPersona; mayEdit: boolean; isBusy: boolean; onRestore: (version: number) => void };

/** Every save, what it changed, and a way back to it. */
export function VersionList({ persona, mayEdit, isBusy, onRestore }: Props) {
  const versions = useQuery(personaVersionsQuery(persona.id));
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <QueryGate query={versions} pending={<SkeletonRows count={3} className="h-12 rounded-lg" />}>
      {(all) => (
        <ol className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
          {all.map((version, at) => (
            <li key={version.version}>
              <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
                <button
                  type="button"
                  aria-expanded={opened === version.version}
                  onClick={() => setOpened(opened === version.version ? null : version.version)}
                  className="min-w-0 flex-1 rounded-sm text-start hover:text-accent"
                >
                  <span className="font-medium">Version {version.version}</span>{' '}
                  {version.version === persona.version && <Badge tone="good">current</Badge>}
                  <span className="block text-sm text-muted">
                    {version.savedBy.name}, {formatMinute(version.savedAt)}
                  </span>
                </button>
                {mayEdit && version.version !== persona.version && (
                  <Button
                    size="small"
                    icon={<Undo2 size={14} />}
                    disabled={isBusy}
                    onClick={() => onRestore(version.version)}
                  >
                    Restore
                  </Button>
                )}
              </div>
              {opened === version.version && <Change version={version} before={all[at + 1]} />}
            </li>
          ))}
        </ol>
      )}
    </QueryGate>
  );
}

function Change({ version, before }: { version: PersonaVersion; before: PersonaVersion | undefined }) {
  if (before?.text === version.text)
    return (
      <p className="border-t border-line px-4 py-2 text-sm text-muted">The same text as version {before.version}.</p>
    );
  return (
    <DiffView patch={diffTexts(null, before?.text ?? '', version.text)} className="max-h-96 border-t border-line" />
  );
}
