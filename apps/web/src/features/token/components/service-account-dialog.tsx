import type { ServiceAccount } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { NameField, SelectField, TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { Dialog } from '../../../components/overlay/dialog';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { membersQuery } from '../../access/access.api';
import { useUser } from '../../access/hooks/use-user';
import { useCreateServiceAccount, useUpdateServiceAccount } from '../service-account.api';

type ManagedTeam = { id: string; name: string };

function OwnerField({ teamId, chosen }: { teamId: string; chosen: string }) {
  const members = useQuery(membersQuery(teamId)).data ?? [];
  return (
    <SelectField
      key={`${teamId} ${members.length}`}
      label="Owner"
      name="ownerId"
      defaultValue={chosen}
      hint="Answers for what it does. Without an owner its tokens do nothing."
    >
      {members
        .filter(({ kind, role }) => kind === 'person' && role !== 'viewer')
        .map(({ userId, name }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
    </SelectField>
  );
}

function CreateForm({ teams, onDone }: { teams: readonly ManagedTeam[]; onDone: () => void }) {
  const [teamId, setTeamId] = useState(teams[0]?.id ?? '');
  const user = useUser();
  const create = useCreateServiceAccount();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const body = { teamId, name: String(data.get('name')).trim(), ownerId: String(data.get('ownerId') ?? user.id) };
    create.mutate(body, { onSuccess: onDone });
  };
  const errors = fieldErrorsOf(create.error);
  return (
    <Form hasFailed={create.isError} className="stack gap-4" onSubmit={submit}>
      <NameField autoFocus placeholder="Nightly build" hint="Shown wherever it acts." error={errors['name'] ?? null} />
      {teams.length > 1 && (
        <SelectField label="Team" value={teamId} onChange={(event) => setTeamId(event.target.value)}>
          {teams.map((team) => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </SelectField>
      )}
      <OwnerField teamId={teamId} chosen={user.id} />
      <FormEnd submit="Create service account" outcome={create} onCancel={onDone} />
    </Form>
  );
}

function EditForm({ account, mayManage, onDone }: { account: ServiceAccount; mayManage: boolean; onDone: () => void }) {
  const update = useUpdateServiceAccount(account.id);
  const [removesKey, setRemovesKey] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const name = String(data.get('name')).trim();
    const ownerId = String(data.get('ownerId') ?? '');
    const key = String(data.get('key') ?? '').trim();
    update.mutate(
      {
        ...(name === account.name ? {} : { name }),
        ...(!mayManage || ownerId === '' || ownerId === account.owner?.userId ? {} : { ownerId }),
        ...(key !== '' ? { key } : removesKey ? { key: null } : {}),
      },
      { onSuccess: onDone },
    );
  };
  const errors = fieldErrorsOf(update.error);
  return (
    <Form hasFailed={update.isError} className="stack gap-4" onSubmit={submit}>
      <NameField defaultValue={account.name} error={errors['name'] ?? null} />
      {mayManage && <OwnerField teamId={account.teamId} chosen={account.owner?.userId ?? ''} />}
      <TextField
        label={account.hasOwnKey ? 'Replace its API key' : 'Its own API key'}
        name="key"
        type="password"
        autoComplete="off"
        placeholder="sk-ant-…"
        hint="Its turns are billed to this key. Without one they are billed to the team’s."
        error={errors['value'] ?? errors['key'] ?? null}
      />
      {account.hasOwnKey && (
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" checked={removesKey} onChange={(event) => setRemovesKey(event.target.checked)} />
          Remove its API key
        </label>
      )}
      <FormEnd submit="Save" outcome={update} onCancel={onDone} />
    </Form>
  );
}

export function CreateServiceAccountDialog(props: {
  teams: readonly ManagedTeam[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Create a service account">
      <CreateForm teams={props.teams} onDone={() => props.onOpenChange(false)} />
    </Dialog>
  );
}

export function EditServiceAccountDialog(props: {
  account: ServiceAccount;
  mayManage: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title={`Edit ${props.account.name}`}>
      <EditForm account={props.account} mayManage={props.mayManage} onDone={() => props.onOpenChange(false)} />
    </Dialog>
  );
}
