import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { FailureText } from '../../components/text/failure-text';
import { TextField } from '../../components/form/field';
import { useLogin } from '../../features/auth/auth.api';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { PasswordField } from '../../features/auth/components/password-field';
import { safeNext } from '../../lib/page/safe-next';
import { useTitle } from '../../lib/page/use-title';
import { auth } from '../services/services';

export default function SignInPage() {
  useTitle('Sign in');
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const login = useLogin();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [wasEnded] = useState(auth.wasEndedByServer);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(null);
    try {
      const email = String(form.get('email')).trim();
      const answer = await login.mutateAsync({ email, password: String(form.get('password')) });
      auth.adopt(answer, { announce: true });
      await navigate({ href: safeNext(next) });
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };

  return (
    <AuthFrame title="Sign in to your team’s Claude Code">
      <form className="stack gap-4" onSubmit={(event) => void submit(event)}>
        {wasEnded && failure === null && (
          <Callout role="status" title="You were signed out">
            Your sign-in was unused for too long, or was ended on another device or for your account’s safety. Sign in
            again to continue.
          </Callout>
        )}
        {failure !== null && (
          <Callout tone="bad" role="alert">
            <FailureText error={failure} />
          </Callout>
        )}
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          required
          maxLength={254}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <Button type="submit" variant="primary" size="large" busy={isBusy}>
          Sign in
        </Button>
        <Link
          to="/forgot-password"
          className="justify-self-center rounded-sm text-sm text-muted underline-offset-4 hover:text-text hover:underline"
        >
          Forgot your password?
        </Link>
      </form>
    </AuthFrame>
  );
}
