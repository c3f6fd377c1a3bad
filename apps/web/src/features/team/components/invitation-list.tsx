import type { Invitation } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { Mail, Trash2 } from 'lucide-react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { Dialog } from '../../../components/overlay/dialog';
import { IconButton } from '../../../components/ui/icon-button';
import { Section } from '../../../components/ui/page';
import { formatMinute } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { invitationsQuery, useRenewInvitation, useRevokeInvitation } from '../team.api';
import { ROLE_NAMES } from '../role-names';
import { InvitationLink } from './invitation-link';
import { FailureText } from '../../../components/text/failure-text';

type RowProps = { invitation: Invitation; isBusy: boolean; onRenew: () => void; onRevoke: () => void };

function InvitationRow({ invitation, isBusy, onRenew, onRevoke }: RowProps) {
  const isOver = Date.parse(invitation.expiresAt) < useMinute();
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-2.5">
      <Mail size={17} aria-hidden="true" className="text-faint" />
      <div className="min-w-44 flex-1">
        <p className="truncate">{invitation.email}</p>
        <p className="text-sm text-muted">
          {ROLE_NAMES[invitation.role]} ·{' '}
          {isOver ? 'link expired' : `link expires ${formatMinute(invitation.expiresAt)}`}
        </p>
      </div>
      <Button size="small" busy={isBusy} aria-label={`New link for ${invitation.email}`} onClick={onRenew}>
        New link
      </Button>
      <IconButton label={`Withdraw the invitation for ${invitation.email}`} onClick={onRevoke}>
        <Trash2 size={16} />
      </IconButton>
    </li>
  );
}

/** Open invitations; nothing when there are none. */
export function InvitationList({ teamId }: { teamId: string }) {
  const invitations = useQuery(invitationsQuery(teamId)).data ?? [];
  const revoke = useRevokeInvitation(teamId);
  const renew = useRenewInvitation(teamId);
  const open = invitations.filter((invitation) => invitation.acceptedAt === null);
  const failure = renew.error ?? revoke.error;
  if (open.length === 0) return null;
  return (
    <Section title="Invited">
      {failure !== null && (
        <Callout tone="bad" role="alert" className="mb-3">
          <FailureText error={failure} />
        </Callout>
      )}
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
        {open.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            isBusy={renew.isPending && renew.variables === invitation.id}
            onRenew={() => renew.mutate(invitation.id)}
            onRevoke={() => revoke.mutate(invitation.id)}
          />
        ))}
      </ul>
      <Dialog
        open={renew.data !== undefined}
        onOpenChange={(isOpen) => !isOpen && renew.reset()}
        title="New invitation link"
      >
        {renew.data !== undefined && <InvitationLink made={renew.data} />}
      </Dialog>
    </Section>
  );
}
