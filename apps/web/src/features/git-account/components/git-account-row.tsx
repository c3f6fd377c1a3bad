import type { GitAccount } from '@chirality/contracts';
import { KeyRound, KeySquare } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { formatAgo, formatFull } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { useRemoveGitAccount } from '../git-account.api';
import { PublicKey } from './public-key';
import { TestGitAccountDialog } from './test-git-account-dialog';

function Facts({ account }: { account: GitAccount }) {
  const now = useMinute();
  const ago = account.lastUsedAt === null ? null : formatAgo(account.lastUsedAt, now);
  const used = ago === null ? 'not used yet' : `last used ${ago}${/^\d/.test(ago) ? ' ago' : ''}`;
  return (
    <>
      <p className="text-sm text-muted">
        {account.username !== null && `${account.username} · `}
        <span title={formatFull(account.createdAt)}>added by {account.createdBy.name}</span> · {used}
      </p>
      {account.fingerprint !== undefined && <p className="font-mono text-xs text-faint">{account.fingerprint}</p>}
      {account.lastError !== null && (
        <p className="text-sm text-bad" title={formatFull(account.lastError.at)}>
          {account.lastError.text}
        </p>
      )}
    </>
  );
}

/** One account: what is known of it, and what can be done with it. */
export function GitAccountRow({
  account,
  teamId,
  mayRemove,
}: {
  account: GitAccount;
  teamId: string | undefined;
  mayRemove: boolean;
}) {
  const removal = useRemoveGitAccount();
  const [open, setOpen] = useState<'test' | 'remove' | null>(null);
  const Icon = account.kind === 'ssh' ? KeySquare : KeyRound;
  return (
    <li className="stack gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Icon
          size={17}
          aria-hidden="true"
          className={account.lastError !== null ? 'text-bad' : account.lastUsedAt === null ? 'text-faint' : 'text-good'}
        />
        <div className="min-w-52 flex-1 wrap-anywhere">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {account.host}
            <Badge>{account.kind === 'ssh' ? 'SSH key' : 'token'}</Badge>
            {account.lastError !== null && <Badge tone="bad">denied</Badge>}
          </p>
          <Facts account={account} />
        </div>
        <div className="flex gap-2">
          <Button size="small" aria-label={`Test: ${account.host}`} onClick={() => setOpen('test')}>
            Test…
          </Button>
          {mayRemove && (
            <Button
              size="small"
              variant="danger"
              aria-label={`Remove: ${account.host}`}
              onClick={() => setOpen('remove')}
            >
              Remove…
            </Button>
          )}
        </div>
      </div>
      {account.publicKey !== undefined && <PublicKey line={account.publicKey} />}
      <TestGitAccountDialog
        account={account}
        teamId={teamId}
        open={open === 'test'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'test' : null)}
      />
      <ConfirmDialog
        title={`Remove the ${account.kind === 'ssh' ? 'SSH key' : 'token'} for ${account.host}?`}
        confirmLabel="Remove"
        open={open === 'remove'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'remove' : null)}
        onConfirm={() => removal.mutateAsync(account.id)}
      >
        {account.scope === 'team' ? 'The team' : 'You'} can no longer reach private repositories there with it. Remove
        it at the host as well. This cannot be undone.
      </ConfirmDialog>
    </li>
  );
}
