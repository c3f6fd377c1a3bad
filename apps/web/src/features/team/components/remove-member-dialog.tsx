import type { Member } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { SelectField } from '../../../components/form/field';
import { belongingsQuery } from '../team.api';
import { belongingsSentence } from '../belongings-sentence';

type Props = {
  teamId: string;
  member: Member;
  others: readonly Member[];
  onClose: () => void;
  onRemove: (handTo: string | null) => Promise<unknown>;
};

/** Asks before a member is removed, and what becomes of what they own. */
export function RemoveMemberDialog({ teamId, member, others, onClose, onRemove }: Props) {
  const [handTo, setHandTo] = useState('');
  const { data: belongings, isError } = useQuery(belongingsQuery(teamId, member.userId));
  const heirs = others.filter(
    ({ userId, role, kind }) => userId !== member.userId && role !== 'viewer' && kind === 'person',
  );
  const ownsSessions = belongings !== undefined && belongings.privateSessions + belongings.sharedSessions > 0;
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      confirmLabel="Remove"
      open
      onOpenChange={(open) => !open && onClose()}
      onConfirm={() => onRemove(handTo === '' ? null : handTo)}
    >
      <span className="stack gap-3">
        <span>
          They lose access immediately, on all devices. Their messages stay in sessions, audit log and reports.
        </span>
        {ownsSessions && (
          <SelectField
            label="Hand their sessions to"
            value={handTo}
            onChange={(event) => setHandTo(event.target.value)}
          >
            <option value="">No one</option>
            {heirs.map(({ userId, name }) => (
              <option key={userId} value={userId}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {(belongings !== undefined || isError) && (
          <span>{belongingsSentence(belongings, heirs.find(({ userId }) => userId === handTo)?.name ?? null)}</span>
        )}
      </span>
    </ConfirmDialog>
  );
}
