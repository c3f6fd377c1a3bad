import type { Project } from '@chirality/contracts';
import { Lock, Users } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { Segmented } from '../../../components/form/segmented';
import { FailureText } from '../../../components/text/failure-text';
import { useSetProjectVisibility } from './project-members.api';

const OPTIONS = [
  { value: 'team', label: 'Everyone in the team' },
  { value: 'members', label: 'Members only' },
] as const;

const MEANING: Record<Project['visibility'], string> = {
  team: 'Everyone in the team can see this project and work in it. Roles below apply to the people they name.',
  members:
    'Only the people below, and the team’s owners and admins, can see this project, its sessions and its files. For others it does not exist.',
};

/** Who has the project. Before others lose it, the person is asked. */
export function ProjectVisibilityChoice({ project }: { project: Project }) {
  const { visibility } = project;
  const [isAsking, setAsking] = useState(false);
  const set = useSetProjectVisibility(project.id);
  const Icon = visibility === 'members' ? Lock : Users;
  return (
    <div className="stack gap-2">
      {project.role === 'manage' ? (
        <Segmented
          label="Who can see this project"
          value={visibility}
          options={OPTIONS}
          onChange={(wanted) => (wanted === 'members' ? setAsking(true) : set.mutate('team'))}
        />
      ) : (
        <p className="flex items-center gap-2 font-medium">
          <Icon size={15} aria-hidden="true" />
          {OPTIONS.find(({ value }) => value === visibility)?.label}
        </p>
      )}
      <p className="text-sm text-muted">{MEANING[visibility]}</p>
      {set.isError && (
        <p role="alert" className="text-sm text-bad">
          <FailureText error={set.error} />
        </p>
      )}
      <ConfirmDialog
        title="Show this project to its members only?"
        confirmLabel="Members only"
        open={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => set.mutateAsync('members')}
      >
        Everyone who is not a member loses {project.name} at once: its sessions, files and settings. What runs for them
        is stopped. You stay a member who can manage it.
      </ConfirmDialog>
    </div>
  );
}
