import { useQuery } from '@tanstack/react-query';
import { FolderUp, X } from 'lucide-react';
import { IconButton } from '../../../components/ui/icon-button';
import { rulesQuery, usePromoteRule, useRemoveRule } from './rule.api';
import type { SessionRule } from '@chirality/contracts';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { Callout } from '../../../components/ui/callout';
import { FailureText } from '../../../components/text/failure-text';

type Props = { sessionId: string; projectId: string; mayChange: boolean; mayPromote: boolean };

/** What was allowed for the rest of the session, and by whom; each can be taken back, or made the whole project’s. */
export function RuleList({ sessionId, projectId, mayChange, mayPromote }: Props) {
  const rules = useQuery(rulesQuery(sessionId)).data ?? [];
  const remove = useRemoveRule(sessionId);
  const promote = usePromoteRule({ sessionId, projectId });
  const [promoting, setPromoting] = useState<SessionRule | null>(null);
  const failure = remove.error;
  return (
    <section className="mt-4 border-t border-line pt-3">
      <h2 className="text-sm font-semibold">Allowed for this session</h2>
      {rules.length === 0 && <p className="pt-1 text-sm text-muted">Nothing beyond what the options say.</p>}
      <ul className="stack gap-0.5 pt-1">
        {rules.map((rule) => (
          <li key={rule.id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1">
              <code className="block font-mono text-sm wrap-anywhere">
                <UntrustedText text={rule.pattern ?? rule.tool} />
              </code>
              <span className="block text-xs text-faint">by {rule.createdBy.name}</span>
            </span>
            {mayPromote && (
              <IconButton
                label={`Allow ${rule.pattern ?? rule.tool} in every session of the project`}
                disabled={promote.isPending}
                onClick={() => setPromoting(rule)}
              >
                <FolderUp size={15} />
              </IconButton>
            )}
            {mayChange && (
              <IconButton label={`Revoke ${rule.pattern ?? rule.tool}`} onClick={() => remove.mutate(rule.id)}>
                <X size={15} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {promoting !== null && (
        <ConfirmDialog
          title="Allow this in the whole project?"
          confirmLabel="Allow in the project"
          open
          onOpenChange={() => setPromoting(null)}
          onConfirm={() => promote.mutateAsync(promoting.id)}
        >
          Every session of this project, now and later, runs{' '}
          <code className="font-mono text-sm wrap-anywhere text-text">
            <UntrustedText text={promoting.pattern ?? `every use of ${promoting.tool}`} />
          </code>{' '}
          without asking anyone, until the rule is removed on the project’s page.
        </ConfirmDialog>
      )}
      {promote.isSuccess && (
        <p role="status" className="pt-1 text-sm text-muted">
          Now allowed in every session of the project.
        </p>
      )}
      {failure !== null && (
        <Callout tone="bad" role="alert" className="mt-2">
          <FailureText error={failure} />
        </Callout>
      )}
    </section>
  );
}
