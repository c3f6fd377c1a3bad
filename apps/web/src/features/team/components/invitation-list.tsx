import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail, X } from 'lucide-react';
import { IconButton } from '../../../components/ui/icon-button';
import { Section } from '../../../components/ui/page';
import { formatFull } from '../../../lib/format/time';
import { useMinute } from '../../../lib/use-now';
import { invitationsQuery } from '../api/list-invitations';
import { revokeInvitation } from '../api/revoke-invitation';
import { ROLE_NAMES } from '../role-names';

/** Invitations that nobody has accepted yet; nothing when there are none. */
export function InvitationList({ teamId }: { teamId: string }) {
  const queries = useQueryClient();
  const now = useMinute();
  const invitations = useQuery(invitationsQuery(teamId)).data ?? [];
  const revoke = useMutation({ mutationFn: revokeInvitation, onSettled: () => queries.invalidateQueries({ queryKey: ['invitations', teamId] }) });
  const open = invitations.filter((invitation) => invitation.acceptedAt === null);
  if (open.length === 0) return null;
  return (
    <Section title="Invited">
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
        {open.map((invitation) => {
          const isOver = Date.parse(invitation.expiresAt) < now;
          return (
            <li key={invitation.id} className="flex items-center gap-3 px-4 py-2.5">
              <Mail size={17} aria-hidden="true" className="text-faint" />
              <div className="min-w-0 flex-1">
                <p className="truncate">{invitation.email}</p>
                <p className="truncate text-sm text-muted">
                  {ROLE_NAMES[invitation.role]} · {isOver ? 'the link has expired' : `the link works until ${formatFull(invitation.expiresAt)}`}
                </p>
              </div>
              <IconButton label={`Take back the invitation of ${invitation.email}`} onClick={() => revoke.mutate({ teamId, invitationId: invitation.id })}>
                <X size={16} />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
