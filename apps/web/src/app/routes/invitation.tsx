import type { InvitationPreview } from '@chirality/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { SkeletonRows } from '../../components/ui/skeleton';
import { FailureText } from '../../components/text/failure-text';
import { teamsChanged } from '../../features/access/access.api';
import { invitationPreviewQuery } from '../../features/auth/auth.api';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { NewAccountForm, SignedInJoin, SignInToJoinForm } from '../../features/auth/components/join-forms';
import { ROLE_NAMES } from '../../features/team/role-names';
import { ApiError } from '../../lib/http/api-error';
import { formatMinute } from '../../lib/format/time';
import { useFragmentToken } from '../../lib/page/use-fragment-token';
import { useObservable } from '../../lib/state/use-observable';
import { useTitle } from '../../lib/page/use-title';
import { auth } from '../services/services';

function Refusal({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AuthFrame title="Invitation">
      <Callout tone="bad" role="alert" title={title}>
        {children}
      </Callout>
      <Link to="/" className="mt-6 text-center text-sm text-muted underline-offset-4 hover:text-text hover:underline">
        Go to Chirality
      </Link>
    </AuthFrame>
  );
}

const OVER = {
  used: { title: 'This invitation was already used', text: 'If it was you, sign in. Otherwise ask for a new link.' },
  expired: { title: 'This invitation has expired', text: 'Ask for a new link.' },
} as const;

function Invitation({ token, invitation }: { token: string; invitation: InvitationPreview }) {
  const { user } = useObservable(auth.state);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const onJoined = async () => {
    await teamsChanged(queries);
    await navigate({ to: '/', replace: true });
  };
  if (invitation.state !== 'open')
    return <Refusal title={OVER[invitation.state].title}>{OVER[invitation.state].text}</Refusal>;
  const Form = user !== null ? SignedInJoin : invitation.hasAccount ? SignInToJoinForm : NewAccountForm;
  return (
    <AuthFrame
      title={`Join ${invitation.teamName}`}
      description={`${invitation.inviterName ?? 'Someone'} invited ${invitation.email} as ${ROLE_NAMES[invitation.role].toLowerCase()}. The link expires ${formatMinute(invitation.expiresAt)}.`}
    >
      <Form token={token} invitation={invitation} onJoined={onJoined} />
    </AuthFrame>
  );
}

function LoadedInvitation({ token }: { token: string }) {
  const preview = useQuery(invitationPreviewQuery(token));
  if (preview.data !== undefined) return <Invitation token={token} invitation={preview.data} />;
  if (preview.error instanceof ApiError && preview.error.isGone)
    return (
      <Refusal title="This invitation does not work">
        It was withdrawn or replaced, or the link is incomplete. Ask for a new link.
      </Refusal>
    );
  return (
    <AuthFrame title="Invitation">
      {preview.isError ? (
        <Callout
          tone="bad"
          role="alert"
          title="The invitation could not be loaded"
          actions={
            <Button size="small" onClick={() => void preview.refetch()}>
              Try again
            </Button>
          }
        >
          <FailureText error={preview.error} />
        </Callout>
      ) : (
        <SkeletonRows count={3} className="h-10 rounded-md" />
      )}
    </AuthFrame>
  );
}

export default function InvitationPage() {
  useTitle('Invitation');
  const token = useFragmentToken();
  if (token === null)
    return (
      <Refusal title="This link is incomplete">Open the whole link that you were sent, or ask for a new one.</Refusal>
    );
  return <LoadedInvitation token={token} />;
}
