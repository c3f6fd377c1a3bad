import type { GitAccount, GitAccountKind, KeyScope, SavedGitAccount } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { DialogEnd, FormEnd } from '../../../components/form/form-end';
import { Segmented } from '../../../components/form/segmented';
import { Dialog } from '../../../components/overlay/dialog';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { plural } from '../../../lib/format/count';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { useAddGitAccount } from '../git-account.api';
import { PublicKey } from './public-key';

type Props = { scope: KeyScope; teamId: string | undefined; onDone: () => void };

const KINDS: readonly { value: GitAccountKind; label: string }[] = [
  { value: 'token', label: 'Access token' },
  { value: 'ssh', label: 'SSH key' },
];
const EXPLAINED: Record<GitAccountKind, string> = {
  token:
    'For addresses that start with https://. Create a token at the host that may read, and push to, your repositories.',
  ssh: 'For addresses such as git@github.com:team/repository.git. We create the key pair; you add its public key at the host.',
};

function AddForm({ scope, teamId, onDone, onSaved }: Props & { onSaved: (account: SavedGitAccount) => void }) {
  const [kind, setKind] = useState<GitAccountKind>('token');
  const add = useAddGitAccount();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    add.mutate(
      {
        scope,
        kind,
        host: text('host'),
        ...(scope === 'team' && teamId !== undefined && { teamId }),
        ...(kind === 'token' && { secret: text('secret') }),
        ...(kind === 'token' && text('username') !== '' && { username: text('username') }),
        ...(kind === 'token' && text('url') !== '' && { url: text('url') }),
      },
      {
        onSuccess: (account) => (account.kind === 'ssh' || account.test !== undefined ? onSaved(account) : onDone()),
      },
    );
  };
  const errors = fieldErrorsOf(add.error);
  const isAtField = ['host', 'username', 'secret', 'url'].some((name) => errors[name] !== undefined);
  return (
    <Form hasFailed={add.isError} className="stack gap-4" onSubmit={submit}>
      <Segmented label="Kind of account" value={kind} options={KINDS} onChange={setKind} />
      <p className="text-sm text-muted">{EXPLAINED[kind]}</p>
      <TextField
        label="Host"
        name="host"
        placeholder="github.com"
        required
        autoFocus
        maxLength={300}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        error={errors['host'] ?? null}
      />
      {kind === 'token' && (
        <>
          <TextField
            label="User name (optional)"
            name="username"
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            hint="Only for hosts that want one with a token, such as Bitbucket."
            error={errors['username'] ?? null}
          />
          <TextField
            label="Token"
            name="secret"
            type="password"
            required
            maxLength={20_000}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            hint="Kept encrypted; it can’t be viewed again. It replaces an earlier token for the same host."
            error={errors['secret'] ?? null}
          />
          <TextField
            label="Repository to test with (optional)"
            name="url"
            placeholder="https://github.com/team/repository.git"
            maxLength={2_000}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            hint="Its branches are read with the token, to see that the host accepts it."
            error={errors['url'] ?? null}
          />
        </>
      )}
      <FormEnd
        submit={kind === 'ssh' ? 'Create SSH key' : 'Add account'}
        outcome={isAtField ? { error: null, isPending: add.isPending } : add}
        onCancel={onDone}
      />
    </Form>
  );
}

function CreatedKey({ account, onDone }: { account: GitAccount; onDone: () => void }) {
  return (
    <div className="stack gap-4">
      <Callout tone="good" role="status" title={`SSH key for ${account.host} created`}>
        Add this public key at the host, then test the account. The private key stays here, encrypted.
      </Callout>
      <PublicKey line={account.publicKey ?? ''} />
      <DialogEnd>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogEnd>
    </div>
  );
}

function Tested({ account, onDone }: { account: SavedGitAccount; onDone: () => void }) {
  const { test, host } = account;
  return (
    <div className="stack gap-4">
      {test?.isAccepted === true ? (
        <Callout tone="good" role="status" title={`${host} accepts the token`}>
          The repository has {plural(test.branches, 'branch', 'branches')}
          {test.defaultBranch === null ? '.' : `; ${test.defaultBranch} is the default.`}
        </Callout>
      ) : (
        <Callout tone="warn" role="alert" title="The account is saved, but the test failed">
          {test?.detail} Add it again with another token, or test it with another repository.
        </Callout>
      )}
      <DialogEnd>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogEnd>
    </div>
  );
}

function Steps(props: Props) {
  const [saved, setSaved] = useState<SavedGitAccount | null>(null);
  if (saved === null) return <AddForm {...props} onSaved={setSaved} />;
  return saved.kind === 'ssh' ? (
    <CreatedKey account={saved} onDone={props.onDone} />
  ) : (
    <Tested account={saved} onDone={props.onDone} />
  );
}

export function AddGitAccountDialog({
  open,
  onOpenChange,
  ...form
}: Omit<Props, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={form.scope === 'team' ? 'Add a git account of the team' : 'Add a git account'}
    >
      <Steps {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
