import type { Member, Role, Team } from '@chirality/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '../../../components/ui/avatar';
import { Callout } from '../../../components/ui/callout';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog';
import { IconButton } from '../../../components/ui/icon-button';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { messageOf } from '../../../lib/http/api-error';
import { useUser } from '../../auth/hooks/use-user';
import { membersQuery } from '../api/list-members';
import { removeMember } from '../api/remove-member';
import { updateMember } from '../api/update-member';
import { isAdmin } from '../hooks/use-team';
import { ROLE_NAMES } from '../role-names';

type RowProps = { member: Member; isMe: boolean; mayChange: boolean; roles: Role[]; onRole: (role: Role) => void; onRemove: () => void };

function MemberRow({ member, isMe, mayChange, roles, onRole, onRemove }: RowProps) {
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <Avatar id={member.userId} name={member.name} size={32} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          {member.name} {isMe && <span className="font-normal text-faint">(you)</span>}
        </p>
        <p className="truncate text-sm text-muted">{member.email}</p>
      </div>
      {mayChange ? (
        <select
          aria-label={`Role of ${member.name}`}
          value={member.role}
          onChange={(event) => onRole(event.target.value as Role)}
          className="h-8 rounded-md border border-line-strong bg-surface px-2 text-sm pointer-coarse:h-10"
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {ROLE_NAMES[role]}
            </option>
          ))}
        </select>
      ) : (
        <span className="text-sm text-muted">{ROLE_NAMES[member.role]}</span>
      )}
      {mayChange && (
        <IconButton label={`Remove ${member.name}`} onClick={onRemove}>
          <UserMinus size={16} />
        </IconButton>
      )}
    </li>
  );
}

export function MemberList({ team }: { team: Team }) {
  const members = useQuery(membersQuery(team.id));
  const me = useUser();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ['members', team.id] });
  const setRole = useMutation({ mutationFn: updateMember, onSettled: refresh });
  const remove = useMutation({ mutationFn: removeMember, onSuccess: refresh });
  const roles: Role[] = team.role === 'owner' ? ['owner', 'admin', 'member', 'viewer'] : ['admin', 'member', 'viewer'];
  const mayChange = (member: Member) => isAdmin(team.role) && member.userId !== me.id && (team.role === 'owner' || member.role !== 'owner');

  return (
    <>
      {setRole.isError && (
        <Callout tone="bad" role="alert" className="mb-3">
          {messageOf(setRole.error)}
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
                onRole={(role) => setRole.mutate({ teamId: team.id, userId: member.userId, role })}
                onRemove={() => setLeaving(member)}
              />
            ))}
          </ul>
        )}
      </QueryGate>
      <ConfirmDialog
        title={`Remove ${leaving?.name ?? ''}?`}
        confirmLabel="Remove"
        open={leaving !== null}
        onOpenChange={(open) => !open && setLeaving(null)}
        onConfirm={() => (leaving === null ? Promise.resolve() : remove.mutateAsync({ teamId: team.id, userId: leaving.userId }))}
      >
        They lose access at once, also where they are connected now. What they did stays in sessions, audit and reports.
      </ConfirmDialog>
    </>
  );
}
