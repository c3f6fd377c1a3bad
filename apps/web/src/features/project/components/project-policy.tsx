import type { Project } from '@chirality/contracts';
import { useState } from 'react';
import { Callout } from '../../../components/ui/callout';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { Switch } from '../../../components/form/switch';
import { FailureText } from '../../../components/text/failure-text';
import { formatMinute } from '../../../lib/format/time';
import { useSetProjectPolicy } from '../project.api';

/** Strict mode and auto-approve: the one asks about everything, the other about nothing, so only one can be on. */
export function ProjectPolicy({ project }: { project: Project }) {
  const mayChange = project.role === 'manage';
  const [isConfirming, setConfirming] = useState(false);
  const update = useSetProjectPolicy(project.id);
  const { strict, autoApprove } = project;
  const hint =
    autoApprove === null
      ? 'Claude runs every command that no rule denies, without asking.'
      : `Switched on by ${autoApprove.by.name}, ${formatMinute(autoApprove.since)}. Claude runs without asking; deny rules still apply.`;
  return (
    <div className="stack gap-4 rounded-lg border border-line bg-surface p-4 shadow-card">
      <Switch
        label="Strict"
        hint="Claude asks before every command and every change, reading commands such as ls included. No session can switch this off."
        checked={strict}
        disabled={!mayChange || update.isPending || (autoApprove !== null && !strict)}
        onChange={(checked) => update.mutate({ strict: checked })}
      />
      <Switch
        label="Auto-approve"
        hint={strict ? 'Cannot be on while the project is strict.' : hint}
        checked={autoApprove !== null}
        disabled={!mayChange || update.isPending || (strict && autoApprove === null)}
        onChange={(checked) => (checked ? setConfirming(true) : update.mutate({ autoApprove: false }))}
      />
      {!mayChange && <p className="text-sm text-muted">Only owners and admins of the team can change this.</p>}
      {update.isError && !isConfirming && (
        <Callout tone="bad" role="alert">
          <FailureText error={update.error} />
        </Callout>
      )}
      <ConfirmDialog
        title="Switch auto-approve on?"
        confirmLabel="Switch auto-approve on"
        open={isConfirming}
        onOpenChange={setConfirming}
        onConfirm={() => update.mutateAsync({ autoApprove: true })}
      >
        In every session of {project.name}, for everyone, Claude will run commands and use tools without asking anyone.
        Rules that deny or ask still hold, and so does the sandbox; plans and Claude’s own questions still wait for a
        person. Every session of the project shows that this is on, and the audit log shows who switched it on.
      </ConfirmDialog>
    </div>
  );
}
