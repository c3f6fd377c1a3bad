import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { TextField } from '../../components/ui/field';
import { forgotPassword } from '../../features/auth/api/forgot-password';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { messageOf } from '../../lib/http/api-error';
import { useTitle } from '../../lib/use-title';

export default function ForgotPasswordPage() {
  useTitle('Forgot password');
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking');
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    setState('busy');
    setFailure(null);
    try {
      await forgotPassword({ email });
      setState('sent');
    } catch (error) {
      setFailure(messageOf(error));
      setState('asking');
    }
  };

  return (
    <AuthFrame title="Forgot your password?" description="We send a link that lets you choose a new one.">
      {state === 'sent' ? (
        <Callout tone="good" role="status" title="Look into your mail">
          If there is an account with that address, a link is on its way. It works for one hour. Where this server sends no mail, ask your admin.
        </Callout>
      ) : (
        <form className="stack gap-4" onSubmit={(event) => void submit(event)}>
          {failure !== null && (
            <Callout tone="bad" role="alert">
              {failure}
            </Callout>
          )}
          <TextField label="E-mail" name="email" type="email" autoComplete="username" autoFocus required maxLength={254} />
          <Button type="submit" variant="primary" size="large" busy={state === 'busy'}>
            Send the link
          </Button>
        </form>
      )}
      <Link to="/sign-in" className="mt-6 justify-self-center text-center text-sm text-muted underline-offset-4 hover:text-text hover:underline">
        Back to signing in
      </Link>
    </AuthFrame>
  );
}
