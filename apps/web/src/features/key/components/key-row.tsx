import type { KeyScope, ModelKey } from '@chirality/contracts';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { formatAgo, formatFull } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { useRemoveKey } from '../key.api';
import { KeyDialog } from './key-dialog';

type Props = {
  teamId: string;
  scope: KeyScope;
  keyInForce: ModelKey | null;
  mayChange: boolean;
  pays: boolean;
  absent: string;
};

function Facts({ shown, absent }: { shown: ModelKey | null; absent: string }) {
  const now = useMinute();
  if (shown === null) return <p className="text-sm text-muted">{absent}</p>;
  const used =
    shown.lastUsedAt === null
      ? 'not used yet'
      : `last used ${formatAgo(shown.lastUsedAt, now)}${/^\d/.test(formatAgo(shown.lastUsedAt, now)) ? ' ago' : ''}`;
  return (
    <>
      <p className="text-sm text-muted">
        {shown.hint !== null && (
          <>
            <span className="font-mono">…{shown.hint}</span> ·{' '}
          </>
        )}
        <span title={formatFull(shown.createdAt)}>set by {shown.createdBy.name}</span> · {used}
      </p>
      {shown.lastError !== null && (
        <p className="text-sm text-bad" title={formatFull(shown.lastError.at)}>
          The model’s service denied it: {shown.lastError.text}
        </p>
      )}
    </>
  );
}

/** One place for a key: what is known of the one in force, and what can be done about it. */
export function KeyRow({ teamId, scope, keyInForce, mayChange, pays, absent }: Props) {
  const removeKey = useRemoveKey();
  const [open, setOpen] = useState<'set' | 'remove' | null>(null);
  const name = scope === 'team' ? 'The team’s key' : 'Your own key';
  const remove = async () => {
    if (keyInForce !== null) await removeKey.mutateAsync(keyInForce.id);
  };
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <KeyRound
        size={17}
        aria-hidden="true"
        className={keyInForce === null ? 'text-faint' : keyInForce.lastError === null ? 'text-good' : 'text-bad'}
      />
      <div className="min-w-52 flex-1 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {keyInForce?.lastError != null && <Badge tone="bad">denied</Badge>}
          {pays && <Badge tone="accent">pays for your turns</Badge>}
        </p>
        <Facts shown={keyInForce} absent={absent} />
      </div>
      {mayChange && (
        <div className="flex gap-2">
          <Button
            size="small"
            aria-label={`${keyInForce === null ? 'Set' : 'Replace'}: ${name}`}
            onClick={() => setOpen('set')}
          >
            {keyInForce === null ? 'Set…' : 'Replace…'}
          </Button>
          {keyInForce !== null && (
            <Button size="small" variant="danger" aria-label={`Remove: ${name}`} onClick={() => setOpen('remove')}>
              Remove…
            </Button>
          )}
        </div>
      )}
      <KeyDialog
        teamId={teamId}
        scope={scope}
        isReplacing={keyInForce !== null}
        open={open === 'set'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'set' : null)}
      />
      <ConfirmDialog
        title={`Remove ${scope === 'team' ? 'the team’s key' : 'your key'}?`}
        confirmLabel="Remove"
        open={open === 'remove'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'remove' : null)}
        onConfirm={remove}
      >
        It is not used from the next request on. This cannot be undone.
      </ConfirmDialog>
    </li>
  );
}
