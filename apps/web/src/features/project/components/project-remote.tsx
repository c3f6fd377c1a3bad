import type { Project } from '@chirality/contracts';
import { branchNameOf, whyNoBranchPattern } from '@chirality/domain';
import { useState, type FormEvent } from 'react';
import { Callout } from '../../../components/ui/callout';
import { Button } from '../../../components/ui/button';
import { Section } from '../../../components/ui/page';
import { Switch } from '../../../components/form/switch';
import { TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FailureText } from '../../../components/text/failure-text';
import { isAdmin, useTeam } from '../../access/hooks/use-team';
import { useSetProjectRemote } from '../project.api';

const EXAMPLE = { title: 'Fix the login page', id: 'sess_7h2k9x4q' };

/** When the remote is asked for newer commits, and how branches are named that sessions push. */
export function ProjectRemote({ project }: { project: Project }) {
  const mayChange = isAdmin(useTeam(project.teamId)?.role);
  const update = useSetProjectRemote(project.id);
  const [pattern, setPattern] = useState(project.branchPattern);
  if (project.source.kind !== 'git') return null;
  const why = whyNoBranchPattern(pattern.trim());
  const save = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ branchPattern: pattern.trim() });
  };
  return (
    <Section title="Remote" description="How this project follows its remote, and how sessions push to it.">
      <div className="stack gap-4 rounded-lg border border-line bg-surface p-4 shadow-card">
        <Switch
          label="Refresh before each new session"
          hint="A new session starts from the remote’s newest commit, if it answers within a few seconds."
          checked={project.refreshBeforeSession}
          disabled={!mayChange || update.isPending}
          onChange={(checked) => update.mutate({ refreshBeforeSession: checked })}
        />
        <Form className="stack gap-2" hasFailed={update.isError} onSubmit={save}>
          <TextField
            label="Branch names"
            value={pattern}
            maxLength={120}
            disabled={!mayChange}
            error={why === null ? null : `The pattern ${why}.`}
            hint={`{title} and {id} are replaced, for example: ${branchNameOf(pattern, EXAMPLE)}`}
            onChange={(event) => setPattern(event.target.value)}
          />
          {mayChange && (
            <div>
              <Button
                type="submit"
                busy={update.isPending}
                disabled={why !== null || pattern.trim() === project.branchPattern}
              >
                Save
              </Button>
            </div>
          )}
        </Form>
        {!mayChange && <p className="text-sm text-muted">Only owners and admins of the team can change this.</p>}
        {update.isError && (
          <Callout tone="bad" role="alert">
            <FailureText error={update.error} />
          </Callout>
        )}
      </div>
    </Section>
  );
}
