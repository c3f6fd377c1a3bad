import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Page, Section } from '../../components/ui/page';
import { projectQuery } from '../../features/project/api/get-project';
import { EgressLog } from '../../features/surroundings/components/egress-log';
import { HostList } from '../../features/surroundings/components/host-list';
import { SetupScript } from '../../features/surroundings/components/setup-script';
import { VariableDialog } from '../../features/surroundings/components/variable-dialog';
import { VariableList } from '../../features/surroundings/components/variable-list';
import { isAdmin, useMayWrite, useTeam } from '../../features/team/hooks/use-team';
import { ApiError } from '../../lib/http/api-error';
import { useTitle } from '../../lib/use-title';
import { NotFound } from '../route-error';

export default function ProjectSurroundingsPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/surroundings' });
  const project = useQuery(projectQuery(projectId));
  const mayManage = isAdmin(useTeam(project.data?.teamId)?.role);
  const mayWrite = useMayWrite(project.data?.teamId);
  const [isAdding, setAdding] = useState(false);
  useTitle(project.data === undefined ? 'Network and variables' : `Network and variables of ${project.data.name}`);
  if (project.error instanceof ApiError && project.error.isGone) return <NotFound />;
  return (
    <Page
      title="Network and variables"
      description={
        <>
          What turns of{' '}
          <Link to="/projects/$projectId" params={{ projectId }} className="font-medium text-text underline underline-offset-2">
            {project.data?.name ?? 'this project'}
          </Link>{' '}
          reach and get.
        </>
      }
    >
      <Section title="Network" description="A sandbox reaches these hosts and nothing else. Without any it has no network.">
        <HostList projectId={projectId} mayManage={mayManage} />
      </Section>
      {mayWrite && (
        <>
          <Section title="What was reached" description="Each host of the last 30 days, and whether it was allowed.">
            <EgressLog projectId={projectId} />
          </Section>
          <Section
            title="Variables"
            description="Values for tools, kept encrypted. They go in and never come out."
            actions={
              mayManage && (
                <Button size="small" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
                  New variable
                </Button>
              )
            }
          >
            <VariableList projectId={projectId} mayManage={mayManage} />
          </Section>
          <Section title="Set-up script" description="Runs once in each session’s files before its first turn, and again when it was changed.">
            <SetupScript projectId={projectId} mayManage={mayManage} />
          </Section>
        </>
      )}
      <VariableDialog projectId={projectId} name={null} open={isAdding} onOpenChange={setAdding} />
    </Page>
  );
}
