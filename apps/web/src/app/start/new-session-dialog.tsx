import type { HarnessName, Session, SessionMode, Visibility } from '@chirality/contracts';
import { limitsInForce } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Dialog } from '../../components/overlay/dialog';
import { SelectField, TextField } from '../../components/form/field';
import { Form } from '../../components/form/form';
import { FormEnd } from '../../components/form/form-end';
import { focusNextComposer } from '../../lib/keyboard/focus-composer';
import { projectQuery } from '../../features/project/project.api';
import { PersonaSelect } from '../../features/persona/components/persona-select';
import { useCreateSession } from '../../features/session/session.api';
import { isAdmin, useTeam } from '../../features/access/hooks/use-team';
import { HarnessSelect } from '../../features/session/components/harness-select';
import { WorkspaceSelect } from '../../features/session/components/workspace-select';
import { OptionFields } from '../../features/options/components/option-fields';
import { MODE_HINTS, MODE_NAMES, VISIBILITY_NAMES } from '../../features/session/session-names';
import { optionFaults } from '../../features/options/option-faults';
import { optionsOfForm } from '../../features/options/options-of-form';

function NewSessionForm({ projectId, onDone }: { projectId: string; onDone: () => void }) {
  const [mode, setMode] = useState<SessionMode>('workbench');
  const [personaKey, setPersonaKey] = useState('');
  const project = useQuery(projectQuery(projectId)).data;
  const team = useTeam(project?.teamId);
  const limits = limitsInForce({ project: project?.limits ?? null, team: team?.limits ?? null });
  const navigate = useNavigate();

  const create = useCreateSession((session) => {
    onDone();
    focusNextComposer();
    void navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } });
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const title = String(form.get('title') ?? '').trim();
    create.mutate({
      projectId,
      mode,
      persona: personaKey === '' ? null : personaKey,
      visibility: String(form.get('visibility')) as Visibility,
      workspace: String(form.get('workspace')) as Session['workspace'],
      options: optionsOfForm(form),
      ...(title !== '' && { title }),
      ...(form.has('harness') && { harness: String(form.get('harness')) as HarnessName }),
    });
  };

  const { faults, elsewhere } = optionFaults(create.error, 'options');
  return (
    <Form hasFailed={create.isError} className="stack gap-4" onSubmit={submit}>
      <PersonaSelect projectId={projectId} value={personaKey} onChange={setPersonaKey} autoFocus />
      <SelectField
        label="Mode"
        value={mode}
        onChange={(event) => setMode(event.target.value as SessionMode)}
        hint={MODE_HINTS[mode]}
      >
        {Object.entries(MODE_NAMES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Visible to" name="visibility" defaultValue="project">
        {Object.entries(VISIBILITY_NAMES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      <WorkspaceSelect />
      <details className="group rounded-lg border border-line">
        <summary className="flex list-none items-center gap-2 rounded-lg px-3 py-2.5 font-medium text-muted hover:text-text">
          <ChevronRight size={15} aria-hidden="true" className="transition-transform group-open:rotate-90" /> More
        </summary>
        <div className="stack gap-4 border-t border-line p-3">
          <TextField label="Title" name="title" maxLength={200} hint="Leave empty to take it from the first message." />
          <HarnessSelect />
          <OptionFields options={{}} limits={limits} faults={faults} mayNameModel={isAdmin(team?.role)} />
        </div>
      </details>
      <FormEnd submit="Start session" outcome={{ error: elsewhere, isPending: create.isPending }} onCancel={onDone} />
    </Form>
  );
}

export function NewSessionDialog({
  projectId,
  open,
  onOpenChange,
}: {
  projectId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="New session">
      <NewSessionForm projectId={projectId} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
