import { useState, type FormEvent } from 'react';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { FailureText } from '../text/failure-text';
import { Dialog } from './dialog';
import { TextField } from '../form/field';
import { Form } from '../form/form';

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
      {failure !== null && (
        <Callout tone="bad" role="alert">
          <FailureText error={failure} />
        </Callout>
      )}
      <div className="flex justify-end gap-2 pb-2">
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          Rename
        </Button>
      </div>
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
