import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Callout } from '../../components/ui/callout';
import { useResetPassword } from '../../features/auth/auth.api';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { NewPasswordForm } from '../../features/auth/components/new-password-form';
import { useFragmentToken } from '../../lib/page/use-fragment-token';
import { useTitle } from '../../lib/page/use-title';

export default function ResetPasswordPage() {
  useTitle('New password');
  const token = useFragmentToken();
  const reset = useResetPassword();
  const [isDone, setDone] = useState(false);
  return (
    <AuthFrame title="Choose a new password">
      {token === null && (
        <Callout tone="bad" role="alert" title="This link is incomplete">
          Open the whole link again, or ask for a new one.
        </Callout>
      )}
      {token !== null && !isDone && (
        <NewPasswordForm
          submitLabel="Set password"
          onSubmit={async (newPassword) => {
            await reset.mutateAsync({ token, newPassword });
            setDone(true);
          }}
        />
      )}
      {isDone && (
        <Callout tone="good" role="status" title="Password changed">
          All devices are signed out. Sign in with the new password.
        </Callout>
      )}
      <Link
        to="/sign-in"
        className="mt-6 text-center text-sm text-muted underline-offset-4 hover:text-text hover:underline"
      >
        Sign in
      </Link>
    </AuthFrame>
  );
}
