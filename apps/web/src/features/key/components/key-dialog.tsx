import type { KeyScope } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Dialog } from '../../../components/ui/dialog';
import { TextField } from '../../../components/ui/field';
import { FormEnd } from '../../../components/ui/form-end';
import { setKey } from '../api/set-key';

type Props = { teamId: string; scope: KeyScope; isReplacing: boolean; onDone: () => void };

function KeyForm({ teamId, scope, isReplacing, onDone }: Props) {
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: setKey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] });
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    set.mutate({ teamId, scope, value: String(new FormData(event.currentTarget).get('key')).trim() });
  };
  return (
    <form className="stack gap-4" onSubmit={submit}>
      <p className="text-muted">
        {scope === 'team' ? 'It pays for turns of everybody in the team who has no key of their own.' : 'It pays for the turns that you send in this team, and for nobody else’s.'}{' '}
        {isReplacing && 'It takes the place of the present one from the next request on; what runs goes on.'}
      </p>
      <TextField label="API key" name="key" type="password" required autoFocus maxLength={512} autoComplete="off" spellCheck={false} className="font-mono" hint="Nobody can read it here again. It is tried when a turn first uses it." />
      <FormEnd submit={isReplacing ? 'Replace the key' : 'Set the key'} outcome={set} onCancel={onDone} />
    </form>
  );
}

export function KeyDialog({ open, onOpenChange, ...form }: Omit<Props, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const whose = form.scope === 'team' ? 'the team’s key' : 'your key';
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={form.isReplacing ? `Replace ${whose}` : `Set ${whose}`}>
      <KeyForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
