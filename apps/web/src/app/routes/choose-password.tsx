import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../components/ui/button';
import { changePassword } from '../../features/auth/api/change-password';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { NewPasswordForm } from '../../features/auth/components/new-password-form';
import { PasswordField } from '../../features/auth/components/password-field';
import { useUser } from '../../features/auth/hooks/use-user';
import { useTitle } from '../../lib/use-title';
import { auth } from '../services';

/** The first sign-in: the password that was printed or given is replaced by one's own. */
export default function ChoosePasswordPage() {
  useTitle('Choose a password');
  const user = useUser();
  const navigate = useNavigate();

  const change = async (newPassword: string, form: FormData) => {
    await changePassword({ currentPassword: String(form.get('current')), newPassword });
    await auth.renew();
    auth.setUser({ ...user, mustChangePassword: false });
    await navigate({ to: '/', replace: true });
  };

  return (
    <AuthFrame title="Choose your own password" description="The one you signed in with was made for the first time only.">
      <NewPasswordForm submitLabel="Set the password and go on" onSubmit={change}>
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField label="Password you signed in with" name="current" autoComplete="current-password" autoFocus required />
      </NewPasswordForm>
      <Button variant="quiet" className="mt-3" onClick={() => void auth.signOut()}>
        Sign out
      </Button>
    </AuthFrame>
  );
}
