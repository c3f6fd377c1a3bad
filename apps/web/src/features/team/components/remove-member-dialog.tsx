import type { Belongings, Member } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog';
import { SelectField } from '../../../components/ui/field';
import { belongingsQuery } from '../api/get-belongings';

type Props = { teamId: string; member: Member; others: readonly Member[]; onClose: () => void; onRemove: (handTo: string | null) => Promise<unknown> };

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function fateOf({ privateSessions, sharedSessions, hasOwnKey }: Belongings, heir: string | null): string {
  const key = hasOwnKey ? ' Their own API key is deleted.' : '';
  if (privateSessions + sharedSessions === 0) return `They own no sessions.${key}`;
  if (heir !== null) return `${heir} becomes the owner of ${counted(privateSessions, 'private session')} and ${counted(sharedSessions, 'shared session')}, and can read them.${key}`;
  const archived = privateSessions === 0 ? '' : ` ${counted(privateSessions, 'private session')} will be archived, and nobody can open ${privateSessions === 1 ? 'it' : 'them'} any longer.`;
  const stays = sharedSessions === 0 ? '' : ` ${counted(sharedSessions, 'shared session')} will stay, managed by the team’s admins.`;
  return `${archived}${stays}${key}`.trim();
}

/** Asks before a member is removed, and what becomes of what they own. */
export function RemoveMemberDialog({ teamId, member, others, onClose, onRemove }: Props) {
  const [handTo, setHandTo] = useState('');
  const belongings = useQuery(belongingsQuery(teamId, member.userId)).data;
  const heirs = others.filter(({ userId, role }) => userId !== member.userId && role !== 'viewer');
  const ownsSessions = belongings !== undefined && belongings.privateSessions + belongings.sharedSessions > 0;
  return (
    <ConfirmDialog title={`Remove ${member.name}?`} confirmLabel="Remove" open onOpenChange={(open) => !open && onClose()} onConfirm={() => onRemove(handTo === '' ? null : handTo)}>
      <span className="stack gap-3">
        <span>They lose access immediately, on all devices. Their messages stay in sessions, audit log and reports.</span>
        {ownsSessions && (
          <SelectField label="Hand their sessions to" value={handTo} onChange={(event) => setHandTo(event.target.value)}>
            <option value="">Nobody</option>
            {heirs.map(({ userId, name }) => (
              <option key={userId} value={userId}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {belongings !== undefined && <span>{fateOf(belongings, heirs.find(({ userId }) => userId === handTo)?.name ?? null)}</span>}
      </span>
    </ConfirmDialog>
  );
}
