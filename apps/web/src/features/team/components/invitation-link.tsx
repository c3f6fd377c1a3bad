import type { CreatedInvitation } from '@chirality/contracts';
import { OneTimeLink } from './one-time-link';

/** What was made of an invitation: its link, and whether it was mailed too. */
export function InvitationLink({ made }: { made: CreatedInvitation }) {
  const { email } = made.invitation;
  return (
    <OneTimeLink
      title={made.mailed ? `Invitation e-mailed to ${email}` : `Send this link to ${email}`}
      link={made.link}
      testId="invitation-link"
    >
      {made.mailed
        ? 'You can also copy the link. Single use; works for a week.'
        : 'Single use; works for a week. Copy it now.'}
    </OneTimeLink>
  );
}
