import { useState, type FormEvent } from 'react';
import { Dialog } from './dialog';
import { TextField } from '../form/field';
import { Form } from '../form/form';
import { FormEnd } from '../form/form-end';

type Props = {
  title: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  name: string;
  maxLength: number;
  onRename: (name: string) => Promise<unknown>;
};

function RenameForm({
  name,
  maxLength,
  onRename,
  onDone,
}: Pick<Props, 'name' | 'maxLength' | 'onRename'> & { onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const next = String(new FormData(event.currentTarget).get('name')).trim();
    if (next === '' || next === name) return onDone();
    setBusy(true);
    setFailure(null);
    try {
      await onRename(next);
      onDone();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Form hasFailed={failure !== null} className="stack gap-4" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Name"
        name="name"
        defaultValue={name}
        maxLength={maxLength}
        required
        autoFocus
        onFocus={(event) => event.target.select()}
      />
      <FormEnd submit="Rename" outcome={{ error: failure, isPending: isBusy }} onCancel={onDone} />
    </Form>
  );
}

export function RenameDialog({ title, open, onOpenChange, ...form }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      <RenameForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
