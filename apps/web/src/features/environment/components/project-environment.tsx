import type { Project } from '@chirality/contracts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Section } from '../../../components/ui/page';
import { EgressLog } from './egress-log';
import { HostList } from './host-list';
import { SetupScript } from './setup-script';
import { VariableDialog } from './variable-dialog';
import { VariableList } from './variable-list';

/** What Claude can reach and read in a project's sessions: hosts, variables and the set-up script. */
export function ProjectEnvironment({ project }: { project: Project }) {
  const mayManage = project.role === 'manage';
  const mayWrite = project.role !== 'read';
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Section
        title="Network"
        description="The only hosts that a session’s sandbox can reach. With none listed it has no network."
      >
        <HostList projectId={project.id} mayManage={mayManage} />
      </Section>
      {mayWrite && (
        <>
          <Section title="Network log" description="Hosts of the last 30 days, and whether each was allowed.">
            <EgressLog projectId={project.id} />
          </Section>
          <Section
            title="Variables"
            description="Encrypted secrets for tools. Values can’t be viewed again."
            actions={
              mayManage && (
                <Button size="small" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
                  New variable
                </Button>
              )
            }
          >
            <VariableList projectId={project.id} mayManage={mayManage} />
          </Section>
          <Section
            title="Set-up script"
            description="Runs once in each session’s files before its first turn, and again whenever it changes."
          >
            <SetupScript projectId={project.id} mayManage={mayManage} />
          </Section>
        </>
      )}
      <VariableDialog projectId={project.id} name={null} open={isAdding} onOpenChange={setAdding} />
    </>
  );
}
