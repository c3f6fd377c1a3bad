import type { ProjectMember, ProjectRole } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { FailureText } from '../../../components/text/failure-text';
import { Button } from '../../../components/ui/button';
import { membersQuery } from '../../access/access.api';
import { usePutProjectMember } from './project-members.api';
import { PROJECT_ROLES } from './project-role-names';

const SELECT = 'h-9 min-w-0 rounded-md border border-line-strong bg-surface px-2 text-base pointer-coarse:h-11';

type Props = { projectId: string; teamId: string; members: ProjectMember[] };

/** Adds someone of the team, with the role that they get. */
export function AddProjectMember({ projectId, teamId, members }: Props) {
  const team = useQuery(membersQuery(teamId)).data ?? [];
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<ProjectRole>('write');
  const put = usePutProjectMember(projectId);
  const others = team.filter((one) => members.every((member) => member.userId !== one.userId));
  if (others.length === 0) return <p className="text-sm text-muted">Everyone in the team has been added.</p>;
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate({ userId, role }, { onSuccess: () => setUserId('') });
      }}
    >
      <select
        aria-label="Person"
        required
        value={userId}
        onChange={(event) => setUserId(event.target.value)}
        className={`${SELECT} flex-1 basis-48`}
      >
        <option value="">Choose a person…</option>
        {others.map((one) => (
          <option key={one.userId} value={one.userId}>
            {one.name} ({one.email})
          </option>
        ))}
      </select>
      <select
        aria-label="Role in this project"
        value={role}
        onChange={(event) => setRole(event.target.value as ProjectRole)}
        className={SELECT}
      >
        {PROJECT_ROLES.map((one) => (
          <option key={one.role} value={one.role}>
            {one.name}
          </option>
        ))}
      </select>
      <Button type="submit" icon={<UserPlus size={15} />} busy={put.isPending} disabled={userId === ''}>
        Add
      </Button>
      {put.isError && (
        <p role="alert" className="basis-full text-sm text-bad">
          <FailureText error={put.error} />
        </p>
      )}
    </form>
  );
}
