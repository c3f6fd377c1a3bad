import type { FormEvent } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { useCreateTeam } from '../team.api';
import { chooseTeam } from '../../access/team-choice';

/** `onCreated` asks again for what depends on the teams. */
type Props = { onCreated: () => Promise<unknown> };

function CreateTeamForm({ onCreated, onDone }: Props & { onDone: () => void }) {
  const create = useCreateTeam(async (team) => {
    await onCreated();
    chooseTeam(team.id);
    onDone();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    create.mutate({ name, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  };
  return (
    <Form hasFailed={create.isError} className="stack gap-4" onSubmit={submit}>
      <TextField label="Team name" name="name" required autoFocus maxLength={100} hint="You will be its owner." />
      <FormEnd submit="Create team" outcome={create} onCancel={onDone} />
    </Form>
  );
}

export function CreateTeamDialog({
  open,
  onOpenChange,
  onCreated,
}: Props & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="New team">
      <CreateTeamForm onCreated={onCreated} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
