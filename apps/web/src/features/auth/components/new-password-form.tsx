import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { messageOf } from '../../../lib/http/api-error';
import { PASSWORD_LENGTH, passwordProblem } from '../password-rules';
import { PasswordField } from './password-field';

type Props = {
  submitLabel: string;
  /** Fields above the new password. */
  children?: ReactNode;
  onSubmit: (newPassword: string, form: FormData) => Promise<void>;
};

/** A new password, twice, whatever it is for. */
export function NewPasswordForm({ submitLabel, children, onSubmit }: Props) {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const problem = passwordProblem(password, repeated);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (problem !== null) return;
    setBusy(true);
    setFailure(null);
    try {
      await onSubmit(password, new FormData(event.currentTarget));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="stack gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {failure !== null && (
        <Callout tone="bad" role="alert">
          {failure}
        </Callout>
      )}
      {children}
      <PasswordField label="New password" hint={`At least ${PASSWORD_LENGTH} characters.`} autoComplete="new-password" value={password} onChange={(event) => setPassword(event.target.value)} />
      <PasswordField label="The same again" autoComplete="new-password" value={repeated} onChange={(event) => setRepeated(event.target.value)} error={isTried ? problem : null} />
      <Button type="submit" variant="primary" size="large" busy={isBusy}>
        {submitLabel}
      </Button>
    </form>
  );
}
