import type { KeyScope } from '@chirality/contracts';
import type { FormEvent } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { useSetKey } from '../key.api';

type Props = { teamId: string; scope: KeyScope; isReplacing: boolean; onDone: () => void };

function KeyForm({ teamId, scope, isReplacing, onDone }: Props) {
  const set = useSetKey();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    set.mutate({ teamId, scope, value: String(new FormData(event.currentTarget).get('key')) }, { onSuccess: onDone });
  };
  const keyError = fieldErrorsOf(set.error)['value'] ?? null;
  return (
    <Form hasFailed={set.isError} className="stack gap-4" onSubmit={submit}>
      <p className="text-muted">
        {scope === 'team'
          ? 'Used for everyone in the team without their own key.'
          : 'Used only for the turns that you send in this team.'}{' '}
        {isReplacing && 'It replaces the current key from the next request; running turns continue.'}
      </p>
      <TextField
        label="API key"
        name="key"
        type="password"
        required
        autoFocus
        maxLength={20_000}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        error={keyError}
        hint="The key can’t be viewed again. It is tried when a turn first uses it."
      />
      <FormEnd
        submit={isReplacing ? 'Replace key' : 'Set key'}
        outcome={keyError === null ? set : { error: null, isPending: set.isPending }}
        onCancel={onDone}
      />
    </Form>
  );
}

export function KeyDialog({
  open,
  onOpenChange,
  ...form
}: Omit<Props, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const whose = form.scope === 'team' ? 'the team’s key' : 'your key';
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={form.isReplacing ? `Replace ${whose}` : `Set ${whose}`}>
      <KeyForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
