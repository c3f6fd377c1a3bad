import type { ServiceAccount } from '@chirality/contracts';
import { Workflow } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { formatAgo } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { useDeleteServiceAccount } from '../service-account.api';
import { CreateTokenDialog, type TokenProject } from './create-token-dialog';
import { EditServiceAccountDialog } from './service-account-dialog';

type Asked = 'token' | 'edit' | 'delete' | null;

function factsOf(account: ServiceAccount, now: number): string {
  const ago = account.lastUsedAt === null ? null : formatAgo(account.lastUsedAt, now);
  return [
    account.owner === null ? 'no owner' : `owner ${account.owner.name}`,
    account.tokens === 1 ? '1 token' : `${account.tokens} tokens`,
    ago === null ? 'not used yet' : `last used ${ago}${/^\d/.test(ago) ? ' ago' : ''}`,
    account.hasOwnKey ? 'billed to its own key' : 'billed to the team',
  ].join(' · ');
}

/** One service account: who answers for it, and what can be done with it. */
export function ServiceAccountRow({
  account,
  team,
  mayManage,
  projects,
}: {
  account: ServiceAccount;
  /** Named where there are several. */
  team: string | null;
  mayManage: boolean;
  projects: readonly TokenProject[];
}) {
  const [asked, setAsked] = useState<Asked>(null);
  const remove = useDeleteServiceAccount();
  const now = useMinute();
  const ask = (which: Exclude<Asked, null>) => (open: boolean) => setAsked(open ? which : null);
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3">
      <Workflow size={17} aria-hidden="true" className="mt-1 text-muted" />
      <div className="min-w-52 flex-1 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {account.name}
          {account.owner === null && <Badge tone="bad">suspended</Badge>}
        </p>
        <p className="text-sm text-muted">
          {team !== null && `${team} · `}
          {factsOf(account, now)}
        </p>
        {account.owner === null && (
          <p className="text-sm text-bad">
            {mayManage
              ? 'Its owner left. Choose another one under Edit; until then its tokens do nothing.'
              : 'Its owner left. An admin has to choose another one.'}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" aria-label={`Create a token of ${account.name}`} onClick={() => setAsked('token')}>
          Create token
        </Button>
        <Button size="small" aria-label={`Edit ${account.name}`} onClick={() => setAsked('edit')}>
          Edit…
        </Button>
        {mayManage && (
          <Button
            size="small"
            variant="danger"
            aria-label={`Delete ${account.name}`}
            onClick={() => setAsked('delete')}
          >
            Delete…
          </Button>
        )}
      </div>
      <CreateTokenDialog
        open={asked === 'token'}
        onOpenChange={ask('token')}
        teams={[]}
        projects={projects}
        account={account}
      />
      <EditServiceAccountDialog
        account={account}
        mayManage={mayManage}
        open={asked === 'edit'}
        onOpenChange={ask('edit')}
      />
      <ConfirmDialog
        title={`Delete “${account.name}”?`}
        confirmLabel="Delete"
        open={asked === 'delete'}
        onOpenChange={ask('delete')}
        onConfirm={() => remove.mutateAsync(account.id)}
      >
        Its tokens end at once, and so do turns that run in its name. Its sessions go to its owner, or to you. What it
        did stays in sessions, reports and the audit log.
      </ConfirmDialog>
    </li>
  );
}
