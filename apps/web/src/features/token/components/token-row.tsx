import type { ApiToken } from '@chirality/contracts';
import { Bot, UserRound } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { formatAgo, formatFull } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { useUser } from '../../access/hooks/use-user';
import { tokenSummary } from '../token-summary';
import { useRevokeToken } from '../token.api';

function Facts({ token, team }: { token: ApiToken; team: string | null }) {
  const now = useMinute();
  const user = useUser();
  const ago = token.lastUsedAt === null ? null : formatAgo(token.lastUsedAt, now);
  const used = ago === null ? 'not used yet' : `last used ${ago}${/^\d/.test(ago) ? ' ago' : ''}`;
  return (
    <p className="text-sm text-muted">
      {team !== null && `${team} · `}
      {token.owner.userId !== user.id && `of ${token.owner.name} · `}
      <span title={token.lastUsedAt === null ? undefined : formatFull(token.lastUsedAt)}>{used}</span> · expires{' '}
      {formatFull(token.expiresAt)}
    </p>
  );
}

/** One token: what it can do, when it was used, and its end. */
export function TokenRow({
  token,
  team,
  nameOf,
}: {
  token: ApiToken;
  /** Named where there are several. */
  team: string | null;
  nameOf: (projectId: string) => string;
}) {
  const revocation = useRevokeToken();
  const [isAsking, setAsking] = useState(false);
  const now = useMinute();
  const isOver = Date.parse(token.expiresAt) <= now;
  const Icon = token.identityClass === 'agent' ? Bot : UserRound;
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3">
      <Icon size={17} aria-hidden="true" className={isOver ? 'mt-1 text-faint' : 'mt-1 text-good'} />
      <div className="min-w-52 flex-1 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {token.name}
          <Badge>
            {token.isOfServiceAccount
              ? 'service account'
              : token.identityClass === 'agent'
                ? 'agent'
                : 'acts as a person'}
          </Badge>
          {isOver && <Badge tone="bad">expired</Badge>}
        </p>
        <Facts token={token} team={team} />
        <p className="text-sm text-faint">{tokenSummary(token, nameOf)[0]}</p>
      </div>
      <Button size="small" variant="danger" aria-label={`Revoke: ${token.name}`} onClick={() => setAsking(true)}>
        Revoke…
      </Button>
      <ConfirmDialog
        title={`Revoke “${token.name}”?`}
        confirmLabel="Revoke"
        open={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => revocation.mutateAsync(token.id)}
      >
        Programs that use it are disconnected at once, and tokens that it created end with it. Turns that they started
        continue. This cannot be undone.
      </ConfirmDialog>
    </li>
  );
}
