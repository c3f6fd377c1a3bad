import type { GitAccount, GitBranches } from '@chirality/contracts';
import type { FormEvent } from 'react';
import { TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { Dialog } from '../../../components/overlay/dialog';
import { Callout } from '../../../components/ui/callout';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { useTestGitAccount } from '../git-account.api';

type Props = { account: GitAccount; teamId: string | undefined; onDone: () => void };

function outcomeOf({ branches, defaultBranch, truncated }: GitBranches): string {
  if (branches.length === 0) return 'The repository has no branches yet.';
  const count = `${branches.length}${truncated === true ? '+' : ''} ${branches.length === 1 ? 'branch' : 'branches'}`;
  return defaultBranch === null ? `It has ${count}.` : `It has ${count}; the default branch is ${defaultBranch}.`;
}

function TestForm({ account, teamId, onDone }: Props) {
  const test = useTestGitAccount(account.id);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get('url') ?? '').trim();
    test.mutate({ url, ...(teamId !== undefined && { teamId }) });
  };
  const urlError = fieldErrorsOf(test.error)['url'] ?? null;
  const example =
    account.kind === 'ssh' ? `git@${account.host}:team/repository.git` : `https://${account.host}/team/repository.git`;
  return (
    <Form hasFailed={test.isError} isChanged={false} className="stack gap-4" onSubmit={submit}>
      <p className="text-muted">Signs in to {account.host} and lists the branches of a repository; nothing is kept.</p>
      <TextField
        label="Address of a repository"
        name="url"
        placeholder={example}
        required
        autoFocus
        maxLength={2_000}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        inputMode="url"
        error={urlError}
      />
      {test.isSuccess && (
        <Callout tone="good" role="status" title="Signed in">
          {outcomeOf(test.data)}
        </Callout>
      )}
      <FormEnd
        submit={test.isSuccess || test.isError ? 'Test again' : 'Test'}
        outcome={urlError === null ? test : { error: null, isPending: test.isPending }}
        onCancel={onDone}
      />
    </Form>
  );
}

export function TestGitAccountDialog({
  open,
  onOpenChange,
  ...form
}: Omit<Props, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Test the account for ${form.account.host}`}>
      <TestForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
