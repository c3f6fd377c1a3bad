import { useNavigate } from '@tanstack/react-router';
import { Callout } from '../../components/ui/callout';
import { TextField } from '../../components/ui/field';
import { acceptInvitation } from '../../features/auth/api/accept-invitation';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { NewPasswordForm } from '../../features/auth/components/new-password-form';
import { useFragmentToken } from '../../lib/use-fragment-token';
import { useTitle } from '../../lib/use-title';
import { auth } from '../services';

export default function InvitationPage() {
  useTitle('Invitation');
  const token = useFragmentToken();
  const navigate = useNavigate();

  const accept = async (password: string, form: FormData) => {
    if (token === null) return;
    const name = String(form.get('name')).trim();
    const answer = await acceptInvitation({ token, password, ...(name !== '' && { name }) });
    auth.adopt(answer, { announce: true });
    await navigate({ to: '/', replace: true });
  };

  return (
    <AuthFrame title="Join your team" description="You were invited. Choose how you are called and a password; if you already have an account here, enter its password.">
      {token === null ? (
        <Callout tone="bad" role="alert" title="This link is not complete">
          Open the whole link that you were given, or ask for a new one.
        </Callout>
      ) : (
        <NewPasswordForm submitLabel="Join" onSubmit={accept}>
          <TextField label="Your name" name="name" autoComplete="name" autoFocus maxLength={100} hint="The others see it beside what you write." />
        </NewPasswordForm>
      )}
    </AuthFrame>
  );
}
