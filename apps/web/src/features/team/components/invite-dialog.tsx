import type { Role } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { CopyButton } from '../../../components/ui/copy-button';
import { Dialog } from '../../../components/ui/dialog';
import { SelectField, TextField } from '../../../components/ui/field';
import { FormEnd } from '../../../components/ui/form-end';
import { createInvitation } from '../api/create-invitation';
import { ROLE_HINTS, ROLE_NAMES } from '../role-names';

type InvitedRole = Exclude<Role, 'owner'>;
const ROLES: InvitedRole[] = ['member', 'viewer', 'admin'];

/** The server's link, or one to this page where it only gave a path. */
function absolute(link: string): string {
  return new URL(link, window.location.origin).href;
}

function InviteForm({ teamId, onDone }: { teamId: string; onDone: () => void }) {
  const [role, setRole] = useState<InvitedRole>('member');
  const queries = useQueryClient();
  const invite = useMutation({ mutationFn: createInvitation, onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations', teamId] }) });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    invite.mutate({ teamId, role, email: String(new FormData(event.currentTarget).get('email')).trim() });
  };

  if (invite.data !== undefined) {
    const link = absolute(invite.data.link);
    return (
      <div className="stack gap-4 pb-2">
        <Callout tone="good" role="status" title={`Send this link to ${invite.data.invitation.email}`}>
          It works once and is shown only now.
        </Callout>
        <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
          <code className="min-w-0 flex-1 overflow-x-auto font-mono text-sm whitespace-nowrap" data-testid="invitation-link">
            {link}
          </code>
          <CopyButton text={link} label="Copy the link" caption="Copy" />
        </div>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={() => invite.reset()}>
            Invite another
          </Button>
          <Button variant="primary" onClick={onDone}>
            Done
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form className="stack gap-4" onSubmit={submit}>
      <TextField label="E-mail" name="email" type="email" required autoFocus maxLength={254} autoComplete="off" />
      <SelectField label="Role" value={role} onChange={(event) => setRole(event.target.value as InvitedRole)} hint={ROLE_HINTS[role]}>
        {ROLES.map((value) => (
          <option key={value} value={value}>
            {ROLE_NAMES[value]}
          </option>
        ))}
      </SelectField>
      <FormEnd submit="Make the link" outcome={invite} onCancel={onDone} />
    </form>
  );
}

export function InviteDialog({ teamId, open, onOpenChange }: { teamId: string; open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Invite somebody">
      <InviteForm teamId={teamId} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
