import type { GitHostKey } from '@chirality/contracts';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { Button } from '../../../components/ui/button';
import { formatFull } from '../../../lib/format/time';
import { useForgetHostKey } from '../git-account.api';

function HostKeyRow({ hostKey, mayForget }: { hostKey: GitHostKey; mayForget: boolean }) {
  const forget = useForgetHostKey();
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <Fingerprint size={17} aria-hidden="true" className="text-faint" />
      <div className="min-w-52 flex-1 wrap-anywhere">
        <p className="font-medium">{hostKey.host}</p>
        {hostKey.keys.map(({ type, fingerprint }) => (
          <p key={fingerprint} className="font-mono text-xs text-muted" title={`Since ${formatFull(hostKey.pinnedAt)}`}>
            {type} {fingerprint}
          </p>
        ))}
      </div>
      {mayForget && (
        <Button
          size="small"
          variant="danger"
          aria-label={`Remove: key of ${hostKey.host}`}
          onClick={() => setAsking(true)}
        >
          Remove…
        </Button>
      )}
      <ConfirmDialog
        title={`Remove the key of ${hostKey.host}?`}
        confirmLabel="Remove"
        open={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => forget.mutateAsync(hostKey.id)}
      >
        The next connection trusts the key that the host shows then. Do this only if its operators announced a new key.
      </ConfirmDialog>
    </li>
  );
}

/** The keys by which SSH hosts proved themselves to the team; nothing where there are none. */
export function HostKeyList({ hostKeys, mayForget }: { hostKeys: readonly GitHostKey[]; mayForget: boolean }) {
  if (hostKeys.length === 0) return null;
  return (
    <div className="stack gap-2 pt-4">
      <h3 className="text-sm font-medium text-muted">Known SSH hosts</h3>
      <ul
        aria-label="Known SSH hosts"
        className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
      >
        {hostKeys.map((hostKey) => (
          <HostKeyRow key={hostKey.id} hostKey={hostKey} mayForget={mayForget} />
        ))}
      </ul>
    </div>
  );
}
