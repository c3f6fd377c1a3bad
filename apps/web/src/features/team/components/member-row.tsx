import type { Member, Role } from '@chirality/contracts';
import { KeyRound, UserMinus } from 'lucide-react';
import { Avatar } from '../../../components/ui/avatar';
import { IconButton } from '../../../components/ui/icon-button';
import { ROLE_NAMES } from '../role-names';

type Props = {
  member: Member;
  isMe: boolean;
  mayChange: boolean;
  roles: Role[];
  onRole: (role: Role) => void;
  onReset: () => void;
  onRemove: () => void;
};

export function MemberRow({ member, isMe, mayChange, roles, onRole, onReset, onRemove }: Props) {
  const isService = member.kind === 'service';
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-2.5">
      <Avatar id={member.userId} name={member.name} size={32} />
      <div className="min-w-32 flex-1">
        <p className="truncate font-medium">
          <bdi>{member.name}</bdi> {isMe && <span className="font-normal text-faint">(you)</span>}
        </p>
        <p className="truncate text-sm text-muted">{isService ? 'Service account' : member.email}</p>
      </div>
      {mayChange && !isService ? (
        <div className="flex items-center gap-1">
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
          <IconButton label={`Reset ${member.name}’s password`} onClick={onReset}>
            <KeyRound size={16} />
          </IconButton>
          <IconButton label={`Remove ${member.name}`} onClick={onRemove}>
            <UserMinus size={16} />
          </IconButton>
        </div>
      ) : (
        <span className="text-sm text-muted">{ROLE_NAMES[member.role]}</span>
      )}
    </li>
  );
}
