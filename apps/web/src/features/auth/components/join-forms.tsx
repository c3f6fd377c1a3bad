import type { InvitationPreview } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { FailureText } from '../../../components/text/failure-text';
import { TextField } from '../../../components/form/field';
import { useAuth } from '../../access/auth-service';
import { useAcceptInvitation, useJoinTeam } from '../auth.api';
import { useUser } from '../../access/hooks/use-user';
import { NewPasswordForm } from './new-password-form';
import { PasswordField } from './password-field';

type Props = { token: string; invitation: InvitationPreview; onJoined: () => Promise<void> };

/** For an address without an account: a name and a password make one. */
export function NewAccountForm({ token, invitation, onJoined }: Props) {
  const auth = useAuth();
  const acceptInvitation = useAcceptInvitation(token);
  const accept = async (password: string, form: FormData) => {
    const name = String(form.get('name')).trim();
    const answer = await acceptInvitation.mutateAsync({ password, ...(name !== '' && { name }) });
    auth.adopt(answer, { announce: true });
    await onJoined();
  };
  return (
    <NewPasswordForm
      submitLabel="Create account and join"
      owner={{ email: invitation.email, name: '' }}
      onSubmit={accept}
    >
      <input type="email" autoComplete="username" value={invitation.email} readOnly hidden />
      <TextField
        label="Display name"
        name="name"
        autoComplete="name"
        autoFocus
        maxLength={100}
        hint="Shown next to your messages."
      />
    </NewPasswordForm>
  );
}

/** For an address that has an account: signing in joins, too. */
export function SignInToJoinForm({ token, invitation, onJoined }: Props) {
  const auth = useAuth();
  const acceptInvitation = useAcceptInvitation(token);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    setBusy(true);
    setFailure(null);
    try {
      auth.adopt(await acceptInvitation.mutateAsync({ password }), { announce: true });
      await onJoined();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <form className="stack gap-4" onSubmit={(event) => void submit(event)}>
      <p className="text-muted">You already have an account. Sign in to join.</p>
      <TextField label="E-mail" type="email" autoComplete="username" value={invitation.email} readOnly />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        autoFocus
        required
        error={failure === null ? null : <FailureText error={failure} />}
      />
      <Button type="submit" variant="primary" size="large" busy={isBusy}>
        Sign in and join
      </Button>
    </form>
  );
}

/** For a signed-in user: one press when the invitation is theirs, else the way to the right account. */
export function SignedInJoin({ token, invitation, onJoined }: Props) {
  const auth = useAuth();
  const user = useUser();
  const joinTeam = useJoinTeam();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  if (user.email !== invitation.email) {
    return (
      <div className="stack gap-4">
        <Callout tone="warn" title={`You are signed in as ${user.email}`}>
          This invitation is for {invitation.email}. Sign out to use it; it is not used up.
        </Callout>
        <Button variant="primary" size="large" onClick={() => void auth.signOut()}>
          Sign out and continue
        </Button>
      </div>
    );
  }
  const join = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await joinTeam.mutateAsync(token);
      await onJoined();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <div className="stack gap-4">
      {failure !== null && (
        <Callout tone="bad" role="alert">
          <FailureText error={failure} />
        </Callout>
      )}
      <Button variant="primary" size="large" busy={isBusy} onClick={() => void join()}>
        Join {invitation.teamName}
      </Button>
    </div>
  );
}
