import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../../components/ui/button';
import { useChangePassword } from '../../features/auth/auth.api';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { NewPasswordForm } from '../../features/auth/components/new-password-form';
import { PasswordField } from '../../features/auth/components/password-field';
import { useUser } from '../../features/access/hooks/use-user';
import { safeNext } from '../../lib/page/safe-next';
import { useTitle } from '../../lib/page/use-title';
import { auth } from '../services/services';

/** The first sign-in: the password that was printed or given is replaced by one's own. */
export default function ChoosePasswordPage() {
  useTitle('Choose a password');
  const user = useUser();
  const navigate = useNavigate();
  const changePassword = useChangePassword();
  const { next } = useSearch({ from: '/choose-password' });

  const change = async (newPassword: string, form: FormData) => {
    await changePassword.mutateAsync({ currentPassword: String(form.get('current')), newPassword });
    await auth.renew();
    auth.setUser({ ...user, mustChangePassword: false });
    await navigate({ href: safeNext(next), replace: true });
  };

  return (
    <AuthFrame title="Choose your own password" description="Your temporary password worked once. Choose your own.">
      <NewPasswordForm submitLabel="Set password and continue" owner={user} onSubmit={change}>
        {(errors) => (
          <>
            <input type="email" autoComplete="username" value={user.email} readOnly hidden />
            <PasswordField
              label="Temporary password"
              hint="The one you just signed in with, once more."
              name="current"
              autoComplete="current-password"
              autoFocus
              required
              error={errors['currentPassword'] ?? null}
            />
          </>
        )}
      </NewPasswordForm>
      <Button variant="quiet" className="mt-3" onClick={() => void auth.signOut()}>
        Sign out
      </Button>
    </AuthFrame>
  );
}
