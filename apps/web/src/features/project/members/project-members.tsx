import type { Project, ProjectMember } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { FailureText } from '../../../components/text/failure-text';
import { Callout } from '../../../components/ui/callout';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { useUser } from '../../access/hooks/use-user';
import { AddProjectMember } from './add-project-member';
import { ProjectMemberRow } from './project-member-row';
import { projectMembersQuery, usePutProjectMember, useRemoveProjectMember } from './project-members.api';
import { ProjectVisibilityChoice } from './project-visibility';

/** Who has a project, and what each may do in it. */
export function ProjectMembers({ project }: { project: Project }) {
  const me = useUser();
  const members = useQuery(projectMembersQuery(project.id));
  const put = usePutProjectMember(project.id);
  const remove = useRemoveProjectMember(project.id);
  const [leaving, setLeaving] = useState<ProjectMember | null>(null);
  const mayChange = project.role === 'manage';
  const isMe = leaving?.userId === me.id;
  return (
    <Section title="Members" description="Who can see this project. Owners and admins of the team always manage it.">
      <div className="stack gap-5">
        <ProjectVisibilityChoice project={project} />
        {put.isError && (
          <Callout tone="bad" role="alert">
            <FailureText error={put.error} />
          </Callout>
        )}
        <QueryGate query={members} pending={<SkeletonRows count={2} className="h-13 rounded-lg" />}>
          {(data) => (
            <>
              {data.length === 0 ? (
                <p className="text-sm text-muted">No one has been added. Everyone in the team has their usual role.</p>
              ) : (
                <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
                  {data.map((member) => (
                    <ProjectMemberRow
                      key={member.userId}
                      member={member}
                      isMe={member.userId === me.id}
                      mayChange={mayChange}
                      onRole={(role) => put.mutate({ userId: member.userId, role })}
                      onRemove={() => setLeaving(member)}
                    />
                  ))}
                </ul>
              )}
              {mayChange && <AddProjectMember projectId={project.id} teamId={project.teamId} members={data} />}
            </>
          )}
        </QueryGate>
      </div>
      <ConfirmDialog
        title={isMe ? 'Leave this project?' : `Remove ${leaving?.name ?? ''} from this project?`}
        confirmLabel={isMe ? 'Leave' : 'Remove'}
        open={leaving !== null}
        onOpenChange={(open) => !open && setLeaving(null)}
        onConfirm={() => (leaving === null ? Promise.resolve() : remove.mutateAsync(leaving.userId))}
      >
        {project.visibility === 'members'
          ? `${project.name} then no longer exists for ${isMe ? 'you' : 'them'}, and what runs for ${isMe ? 'you' : 'them'} is stopped. Sessions stay in the project.`
          : `${isMe ? 'You have' : 'They have'} the usual role of the team in ${project.name} from then on.`}
      </ConfirmDialog>
    </Section>
  );
}
