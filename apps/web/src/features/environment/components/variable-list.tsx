import type { ProjectVariable, VariableUse } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Callout } from '../../../components/ui/callout';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { IconButton } from '../../../components/ui/icon-button';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatAgo } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { usePutVariable, useRemoveVariable, variablesQuery } from '../environment.api';
import { USE_NAMES, VARIABLE_USES } from '../variable-uses';
import { VariableDialog } from './variable-dialog';
import { FailureText } from '../../../components/text/failure-text';

type RowProps = {
  variable: ProjectVariable;
  mayManage: boolean;
  onUse: (use: VariableUse) => void;
  onValue: () => void;
  onRemove: () => void;
};

function VariableRow({ variable, mayManage, onUse, onValue, onRemove }: RowProps) {
  const now = useMinute();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2.5">
      <div className="min-w-40 flex-1">
        <p className="truncate font-mono text-sm font-medium">{variable.name}</p>
        <p className="truncate text-sm text-muted">
          {variable.updatedBy.name}, {formatAgo(variable.updatedAt, now)}
        </p>
      </div>
      {mayManage ? (
        <select
          aria-label={`Who gets ${variable.name}`}
          value={variable.givenTo}
          onChange={(event) => onUse(event.target.value as VariableUse)}
          className="h-8 rounded-md border border-line-strong bg-surface px-2 text-sm pointer-coarse:h-10"
        >
          {VARIABLE_USES.map((use) => (
            <option key={use} value={use}>
              {USE_NAMES[use]}
            </option>
          ))}
        </select>
      ) : (
        <span className="text-sm text-muted">{USE_NAMES[variable.givenTo]}</span>
      )}
      {mayManage && (
        <span className="flex">
          <IconButton label={`New value of ${variable.name}`} onClick={onValue}>
            <KeyRound size={16} />
          </IconButton>
          <IconButton label={`Remove ${variable.name}`} onClick={onRemove}>
            <Trash2 size={16} />
          </IconButton>
        </span>
      )}
    </li>
  );
}

/** Names, uses and who set them; values are nowhere to be seen. */
export function VariableList({ projectId, mayManage }: { projectId: string; mayManage: boolean }) {
  const variables = useQuery(variablesQuery(projectId));
  const put = usePutVariable(projectId);
  const remove = useRemoveVariable(projectId);
  const [changing, setChanging] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<string | null>(null);
  return (
    <>
      {put.isError && (
        <Callout tone="bad" role="alert" className="mb-3">
          <FailureText error={put.error} />
        </Callout>
      )}
      <QueryGate query={variables} pending={<SkeletonRows count={2} className="h-13 rounded-lg" />}>
        {(data) =>
          data.length === 0 ? (
            <p className="rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-muted">
              No variables yet. A token of a package registry, for example, goes here.
            </p>
          ) : (
            <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
              {data.map((variable) => (
                <VariableRow
                  key={variable.name}
                  variable={variable}
                  mayManage={mayManage}
                  onUse={(givenTo) => put.mutate({ name: variable.name, givenTo })}
                  onValue={() => setChanging(variable.name)}
                  onRemove={() => setLeaving(variable.name)}
                />
              ))}
            </ul>
          )
        }
      </QueryGate>
      <VariableDialog
        projectId={projectId}
        name={changing ?? ''}
        open={changing !== null}
        onOpenChange={(open) => !open && setChanging(null)}
      />
      <ConfirmDialog
        title={`Remove ${leaving ?? ''}?`}
        confirmLabel="Remove"
        open={leaving !== null}
        onOpenChange={(open) => !open && setLeaving(null)}
        onConfirm={() => (leaving === null ? Promise.resolve() : remove.mutateAsync(leaving))}
      >
        From the next turn on nothing gets it, and where an older answer repeats its value, that is no longer hidden.
      </ConfirmDialog>
    </>
  );
}
