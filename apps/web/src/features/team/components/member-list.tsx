import type { Member, Role, Team } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Callout } from '../../../components/ui/callout';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { useUser } from '../../access/hooks/use-user';
import { membersQuery } from '../../access/access.api';
import { JOINED_AGAIN_MS, useRemoveMember, useSetRole } from '../team.api';
import { isAdmin } from '../../access/hooks/use-team';
import { MemberRow } from './member-row';
import { RemoveMemberDialog } from './remove-member-dialog';
import { ResetMemberDialog } from './reset-member-dialog';
import { FailureText } from '../../../components/text/failure-text';

/** What is being asked about one member. */
type Asked = { act: 'remove' | 'reset' | 'owner'; member: Member } | null;

export function MemberList({ team }: { team: Team }) {
  const members = useQuery({ ...membersQuery(team.id), refetchInterval: JOINED_AGAIN_MS });
  const me = useUser();
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  const setRole = useSetRole(team.id);
  const removeMember = useRemoveMember(team.id);
  const roles: Role[] = team.role === 'owner' ? ['owner', 'admin', 'member', 'viewer'] : ['admin', 'member', 'viewer'];
  const mayChange = (member: Member) =>
    isAdmin(team.role) && member.userId !== me.id && (team.role === 'owner' || member.role !== 'owner');
  const change = (member: Member, role: Role) =>
    role === 'owner' ? setAsked({ act: 'owner', member }) : setRole.mutate({ userId: member.userId, role });
  const remove = async (member: Member, handTo: string | null) => {
    await removeMember.mutateAsync({ userId: member.userId, handTo });
  };

  return (
    <>
      {setRole.isError && (
        <Callout tone="bad" role="alert" className="mb-3">
          <FailureText error={setRole.error} />
        </Callout>
      )}
      <QueryGate query={members} pending={<SkeletonRows count={3} className="h-13 rounded-lg" />}>
        {(data) => (
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {data.map((member) => (
              <MemberRow
                key={member.userId}
                member={member}
                isMe={member.userId === me.id}
                mayChange={mayChange(member)}
                roles={roles}
                onRole={(role) => change(member, role)}
                onReset={() => setAsked({ act: 'reset', member })}
                onRemove={() => setAsked({ act: 'remove', member })}
              />
            ))}
          </ul>
        )}
      </QueryGate>
      {asked?.act === 'remove' && (
        <RemoveMemberDialog
          teamId={team.id}
          member={asked.member}
          others={members.data ?? []}
          onClose={close}
          onRemove={(handTo) => remove(asked.member, handTo)}
        />
      )}
      {asked?.act === 'reset' && <ResetMemberDialog teamId={team.id} member={asked.member} onClose={close} />}
      <ConfirmDialog
        title={`Make ${asked?.member.name ?? ''} an owner?`}
        confirmLabel="Make owner"
        open={asked?.act === 'owner'}
        onOpenChange={(open) => !open && close()}
        onConfirm={() =>
          asked === null ? Promise.resolve() : setRole.mutateAsync({ userId: asked.member.userId, role: 'owner' })
        }
      >
        Owners can do everything in {team.name}: change every role, yours too, and remove you from the team.
      </ConfirmDialog>
    </>
  );
}
