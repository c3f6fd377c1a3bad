import type { Role } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Dialog } from '../../../components/overlay/dialog';
import { SelectField, TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { DialogEnd, FormEnd } from '../../../components/form/form-end';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { useInvite } from '../team.api';
import { ROLE_HINTS, ROLE_NAMES } from '../role-names';
import { InvitationLink } from './invitation-link';

type InvitedRole = Exclude<Role, 'owner'>;
const ROLES: InvitedRole[] = ['member', 'viewer', 'admin'];

function InviteForm({ teamId, onDone }: { teamId: string; onDone: () => void }) {
  const [role, setRole] = useState<InvitedRole>('member');
  const invite = useInvite(teamId);
  const emailError = fieldErrorsOf(invite.error)['email'] ?? null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    invite.mutate({ role, email: String(new FormData(event.currentTarget).get('email')).trim() });
  };

  if (invite.data !== undefined) {
    return (
      <>
        <InvitationLink made={invite.data} />
        <DialogEnd>
          <Button variant="quiet" onClick={() => invite.reset()}>
            Invite another
          </Button>
          <Button variant="primary" onClick={onDone}>
            Done
          </Button>
        </DialogEnd>
      </>
    );
  }
  return (
    <Form hasFailed={invite.isError} className="stack gap-4" onSubmit={submit}>
      <TextField
        label="E-mail"
        name="email"
        type="email"
        required
        autoFocus
        maxLength={254}
        autoComplete="off"
        error={emailError}
      />
      <SelectField
        label="Role"
        value={role}
        onChange={(event) => setRole(event.target.value as InvitedRole)}
        hint={ROLE_HINTS[role]}
      >
        {ROLES.map((value) => (
          <option key={value} value={value}>
            {ROLE_NAMES[value]}
          </option>
        ))}
      </SelectField>
      <FormEnd
        submit="Create link"
        outcome={emailError === null ? invite : { error: null, isPending: invite.isPending }}
        onCancel={onDone}
      />
    </Form>
  );
}

export function InviteDialog({
  teamId,
  open,
  onOpenChange,
}: {
  teamId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Invite someone">
      <InviteForm teamId={teamId} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
