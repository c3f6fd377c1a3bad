import type { PasswordOwner } from '@chirality/domain';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { newPasswordFaults, NO_FAULTS, PASSWORD_MIN_CHARS } from '../password-rules';
import { PasswordField } from './password-field';
import { Form } from '../../../components/form/form';
import { FailureText } from '../../../components/text/failure-text';

type Props = {
  submitLabel: string;
  /** Whose password it is, as far as that is known: a name or an address makes a bad password. */
  owner?: PasswordOwner;
  /** Fields above the new password, given what the server found wrong with them. */
  children?: ReactNode | ((errors: Record<string, string>) => ReactNode);
  onSubmit: (newPassword: string, form: FormData) => Promise<void>;
};

const UNKNOWN_OWNER: PasswordOwner = { email: '', name: '' };

/** A new password, twice, whatever it is for. Each fault stands at its field. */
export function NewPasswordForm({ submitLabel, owner = UNKNOWN_OWNER, children, onSubmit }: Props) {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [faults, setFaults] = useState(NO_FAULTS);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const form = useRef<HTMLFormElement>(null);
  const errors = fieldErrorsOf(failure);
  const isAtField = Object.keys(errors).length > 0;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(null);
    try {
      const found = await newPasswordFaults(password, repeated, {
        ...owner,
        name: String(data.get('name') ?? owner.name),
      });
      setFaults(found);
      if (found.password === null && found.repeated === null) await onSubmit(password, data);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
  };

  return (
    <Form
      hasFailed={failure !== null || faults.password !== null || faults.repeated !== null}
      ref={form}
      className="stack gap-4"
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      {failure !== null && !isAtField && (
        <Callout tone="bad" role="alert">
          <FailureText error={failure} />
        </Callout>
      )}
      {typeof children === 'function' ? children(errors) : children}
      <PasswordField
        label="New password"
        hint={`At least ${PASSWORD_MIN_CHARS} characters, hard to guess.`}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={faults.password ?? errors['newPassword'] ?? errors['password'] ?? null}
      />
      <PasswordField
        label="Repeat password"
        what="repeated password"
        autoComplete="new-password"
        value={repeated}
        onChange={(event) => setRepeated(event.target.value)}
        error={faults.repeated}
      />
      <Button type="submit" variant="primary" size="large" busy={isBusy}>
        {submitLabel}
      </Button>
    </Form>
  );
}
