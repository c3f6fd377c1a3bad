import type { Session, Turn } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Callout } from '../../components/ui/callout';
import { SelectField } from '../../components/form/field';
import { QueryGate } from '../../components/ui/query-gate';
import { SkeletonRows } from '../../components/ui/skeleton';
import { PersonaSelect } from '../../features/persona/components/persona-select';
import { useSetPersona } from '../../features/session/session.api';
import { promptQuery, turnsQuery } from '../../features/prompt/prompt.api';
import { PersonaCard } from '../../features/persona/components/persona-card';
import { PromptSections } from '../../features/prompt/components/prompt-sections';
import { FailureText } from '../../components/text/failure-text';

const LONGEST = 48;

function nameOf({ kind, message }: Turn): string {
  if (kind !== 'message') return kind === 'boot' ? 'Boot' : 'Compaction';
  const line = message.trim().split('\n')[0] ?? '';
  const characters = [...line];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line;
}

/**
 * What the next turn would put before the model, and what earlier ones did. `revision` changes when a turn may have
 * changed it.
 */
export function PromptTab({ session, revision, mayWrite }: { session: Session; revision: string; mayWrite: boolean }) {
  const [turnId, setTurnId] = useState('');
  const turns = useQuery(turnsQuery(session.id, revision)).data ?? [];
  const prompt = useQuery(
    promptQuery(session.id, turnId === '' ? null : turnId, `${revision} ${session.persona} ${session.updatedAt}`),
  );
  const choose = useSetPersona(session.id);
  return (
    <div className="stack gap-4 p-4">
      <SelectField label="Prompt of" value={turnId} onChange={(event) => setTurnId(event.target.value)}>
        <option value="">The next turn</option>
        {turns.map((turn) => (
          <option key={turn.id} value={turn.id}>
            {nameOf(turn)}
          </option>
        ))}
      </SelectField>
      {turnId === '' && mayWrite && session.status !== 'archived' && (
        <PersonaSelect
          projectId={session.projectId}
          value={session.persona ?? ''}
          disabled={choose.isPending}
          onChange={(key) => choose.mutate(key === '' ? null : key)}
        />
      )}
      {choose.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={choose.error} />
        </Callout>
      )}
      <QueryGate query={prompt} pending={<SkeletonRows count={5} className="h-10 rounded-lg" />}>
        {(loaded) => (
          <>
            <PersonaCard persona={loaded.persona} projectId={session.projectId} />
            <PromptSections prompt={loaded} />
          </>
        )}
      </QueryGate>
    </div>
  );
}
