import type { ProjectMember, ProjectRole } from '@chirality/contracts';
import { UserMinus } from 'lucide-react';
import { Avatar } from '../../../components/ui/avatar';
import { Badge } from '../../../components/ui/badge';
import { IconButton } from '../../../components/ui/icon-button';
import { PROJECT_ROLES, projectRoleName } from './project-role-names';

type Props = {
  member: ProjectMember;
  isMe: boolean;
  mayChange: boolean;
  onRole: (role: ProjectRole) => void;
  onRemove: () => void;
};

/** A person whom the project names. What they are in the team may count for more, or for less. */
export function ProjectMemberRow({ member, isMe, mayChange, onRole, onRemove }: Props) {
  const { name, email, role, teamRole } = member;
  const isAdmin = teamRole === 'owner' || teamRole === 'admin';
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-2.5">
      <Avatar id={member.userId} name={name} size={32} />
      <div className="min-w-32 flex-1">
        <p className="truncate font-medium">
          <bdi>{name}</bdi> {isMe && <span className="font-normal text-faint">(you)</span>}
        </p>
        <p className="truncate text-sm text-muted">{email}</p>
      </div>
      {isAdmin && <Badge title="Owners and admins of the team manage every project">Team {teamRole}</Badge>}
      {teamRole === 'viewer' && <Badge title="A viewer of the team only reads">Team viewer</Badge>}
      {mayChange ? (
        <select
          aria-label={`Role of ${name} in this project`}
          value={role}
          onChange={(event) => onRole(event.target.value as ProjectRole)}
          className="h-8 rounded-md border border-line-strong bg-surface px-2 text-sm pointer-coarse:h-10"
        >
          {PROJECT_ROLES.map((one) => (
            <option key={one.role} value={one.role}>
              {one.name}
            </option>
          ))}
        </select>
      ) : (
        <span className="text-sm text-muted">{projectRoleName(role)}</span>
      )}
      {(mayChange || isMe) && (
        <IconButton label={isMe ? 'Leave the project' : `Remove ${name} from the project`} onClick={onRemove}>
          <UserMinus size={16} />
        </IconButton>
      )}
    </li>
  );
}
