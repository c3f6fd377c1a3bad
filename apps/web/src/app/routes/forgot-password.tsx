import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { FailureText } from '../../components/text/failure-text';
import { TextField } from '../../components/form/field';
import { authOptionsQuery, useForgotPassword } from '../../features/auth/auth.api';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { useTitle } from '../../lib/page/use-title';

/** `mails`: whether the server sends mail; else the link waits on its disk for the operator. */
function AskForLink({ mails }: { mails: boolean }) {
  const ask = useForgotPassword();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(String(new FormData(event.currentTarget).get('email')).trim());
  };
  if (ask.isSuccess) {
    return (
      <Callout tone="good" role="status" title={mails ? 'Check your inbox' : 'Look into the outbox of this server'}>
        {mails
          ? 'If there is an account with that address, a link is on its way. It works for one hour.'
          : 'If there is an account with that address, a link was written to a file in the folder outbox of the server’s data directory. It works for one hour.'}
      </Callout>
    );
  }
  return (
    <form className="stack gap-4" onSubmit={submit}>
      {ask.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={ask.error} />
        </Callout>
      )}
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        autoFocus={mails}
        required
        maxLength={254}
      />
      <Button type="submit" variant={mails ? 'primary' : 'secondary'} size="large" busy={ask.isPending}>
        {mails ? 'Send link' : 'Write link to the outbox'}
      </Button>
    </form>
  );
}

export default function ForgotPasswordPage() {
  useTitle('Forgot password');
  const options = useQuery(authOptionsQuery);
  const mails = options.data?.mail ?? true;
  return (
    <AuthFrame
      title="Forgot your password?"
      description={mails ? 'We’ll e-mail you a link to choose a new one.' : 'This server does not send e-mail.'}
    >
      {!mails && (
        <Callout tone="info" className="mb-6" title="Ask an admin of your team for a reset link">
          They can create one on the Team page. If you run this server yourself, you can have a link written to a file
          on it: into the folder <code className="font-mono text-sm">outbox</code> of its data directory, which{' '}
          <code className="font-mono text-sm">npm start</code> prints as “Data and logs”.
        </Callout>
      )}
      {!options.isPending && <AskForLink mails={mails} />}
      <Link
        to="/sign-in"
        className="mt-6 justify-self-center text-center text-sm text-muted underline-offset-4 hover:text-text hover:underline"
      >
        Back to sign-in
      </Link>
    </AuthFrame>
  );
}
