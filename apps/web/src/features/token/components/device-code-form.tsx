import type { DeviceRequest } from '@chirality/contracts';
import type { FormEvent } from 'react';
import { TextField } from '../../../components/form/field';
import { Button } from '../../../components/ui/button';
import { FailureText } from '../../../components/text/failure-text';
import { useFindDeviceRequest } from '../device.api';

/** Takes the code that a program shows. */
export function DeviceCodeForm({ onFound }: { onFound: (request: DeviceRequest, userCode: string) => void }) {
  const find = useFindDeviceRequest();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const userCode = String(new FormData(event.currentTarget).get('code'));
    find.mutate(userCode, { onSuccess: (request) => onFound(request, userCode) });
  };
  return (
    <form className="stack gap-4" onSubmit={submit}>
      <TextField
        label="Code"
        name="code"
        required
        autoFocus
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        placeholder="WDJB-MJHT"
        className="text-center font-mono text-lg tracking-widest uppercase"
        hint="The program shows it, eight letters. Small letters and dashes do not matter."
        error={find.isError ? <FailureText error={find.error} /> : null}
      />
      <Button type="submit" variant="primary" size="large" busy={find.isPending}>
        Continue
      </Button>
    </form>
  );
}
