import type { CreatedToken, IdentityClass } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { NameField, SelectField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { DialogEnd, FormEnd } from '../../../components/form/form-end';
import { Segmented } from '../../../components/form/segmented';
import { Dialog } from '../../../components/overlay/dialog';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { CopyButton } from '../../../components/ui/copy-button';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { TOKEN_ACCESS, tokenSummary, type TokenAccess } from '../token-summary';
import { useCreateToken } from '../token.api';

export type TokenProject = { id: string; teamId: string; name: string };
type Props = {
  teams: readonly { id: string; name: string }[];
  projects: readonly TokenProject[];
  /** In whose name it acts instead of mine. */
  account?: { id: string; name: string; teamId: string } | undefined;
  onDone: () => void;
};

const USERS: readonly { value: IdentityClass; label: string }[] = [
  { value: 'agent', label: 'An agent or script' },
  { value: 'human', label: 'Me, in another program' },
];
const ACCESS: readonly { value: TokenAccess; label: string }[] = [
  { value: 'read', label: 'Read' },
  { value: 'run', label: 'Run turns' },
  { value: 'everything', label: 'Everything' },
];
const LIFETIMES = [
  { days: 1, label: '24 hours' },
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'One year' },
];

function CreateForm({
  teams,
  projects,
  account,
  onDone,
  onCreated,
}: Props & { onCreated: (created: CreatedToken) => void }) {
  const [teamId, setTeamId] = useState(account?.teamId ?? teams[0]?.id ?? '');
  const [projectId, setProjectId] = useState('');
  const [identityClass, setIdentityClass] = useState<IdentityClass>('agent');
  const [access, setAccess] = useState<TokenAccess>('run');
  const create = useCreateToken();
  const commands = TOKEN_ACCESS[access];
  const claims = {
    ...(projectId === '' ? {} : { projects: [projectId] }),
    ...(commands === null ? {} : { commands: [...commands] }),
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const days = Number(data.get('days'));
    create.mutate(
      {
        name: String(data.get('name')).trim(),
        teamId,
        identityClass,
        days,
        ...claims,
        ...(account && { serviceAccountId: account.id }),
      },
      { onSuccess: onCreated },
    );
  };
  const error = fieldErrorsOf(create.error)['name'] ?? null;
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  return (
    <Form hasFailed={create.isError} className="stack gap-4" onSubmit={submit}>
      <NameField
        autoFocus
        placeholder="Nightly build"
        hint="Shown where it acts, so that people know what it is."
        error={error}
      />
      {account === undefined && (
        <div className="stack gap-1.5">
          <span className="text-sm font-medium">Used by</span>
          <Segmented label="Used by" value={identityClass} options={USERS} onChange={setIdentityClass} />
        </div>
      )}
      <div className="stack gap-1.5">
        <span className="text-sm font-medium">Access</span>
        <Segmented label="Access" value={access} options={ACCESS} onChange={setAccess} />
      </div>
      {teams.length > 1 && account === undefined && (
        <SelectField
          label="Team"
          value={teamId}
          onChange={(event) => {
            setTeamId(event.target.value);
            setProjectId('');
          }}
        >
          {teams.map((team) => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField label="Projects" value={projectId} onChange={(event) => setProjectId(event.target.value)}>
        <option value="">All projects</option>
        {projects
          .filter((project) => project.teamId === teamId)
          .map((project) => (
            <option key={project.id} value={project.id}>
              {project.name}
            </option>
          ))}
      </SelectField>
      <SelectField label="Expires after" name="days" defaultValue="1">
        {LIFETIMES.map(({ days, label }) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
      </SelectField>
      <Callout title="What this token can do">
        <ul aria-label="What this token can do" className="list-disc ps-4 text-sm">
          {tokenSummary({ identityClass, mayMint: false, claims }, nameOf).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Callout>
      <FormEnd
        submit="Create token"
        outcome={error === null ? create : { error: null, isPending: create.isPending }}
        onCancel={onDone}
      />
    </Form>
  );
}

function Created({ secret, name, onDone }: { secret: string; name: string; onDone: () => void }) {
  return (
    <div className="stack gap-4">
      <Callout tone="good" role="status" title={`“${name}” created`}>
        Copy the token now. It can’t be viewed again.
      </Callout>
      <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        {/* A long line: keyboards scroll it, too. */}
        <code
          tabIndex={0}
          aria-label="Token"
          className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-xs whitespace-nowrap"
        >
          {secret}
        </code>
        <CopyButton text={secret} label="Copy the token" caption="Copy" />
      </div>
      <DialogEnd>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogEnd>
    </div>
  );
}

function Steps(props: Props) {
  const [created, setCreated] = useState<CreatedToken | null>(null);
  return created === null ? (
    <CreateForm {...props} onCreated={setCreated} />
  ) : (
    <Created secret={created.secret} name={created.token.name} onDone={props.onDone} />
  );
}

export function CreateTokenDialog({
  open,
  onOpenChange,
  ...form
}: Omit<Props, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={form.account === undefined ? 'Create an access token' : `Create a token of ${form.account.name}`}
    >
      <Steps {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
