import { Link } from '@tanstack/react-router';
import { SelectField, TextField } from '../../../components/form/field';
import { FailureText } from '../../../components/text/failure-text';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { ApiError, fieldErrorsOf } from '../../../lib/http/api-error';
import { useListBranches } from '../project.api';

type Props = {
  teamId: string | undefined;
  url: string;
  /** Empty: the default one. */
  branch: string;
  onUrl: (url: string) => void;
  onBranch: (branch: string) => void;
};

/** Where to add what a host asks for. */
export function AddGitAccountLink() {
  return (
    <Link to="/settings" className="font-medium text-accent hover:underline">
      Add a git account
    </Link>
  );
}

/** The address of a repository, and once it was looked at, the branch. */
export function GitSourceFields({ teamId, url, branch, onUrl, onBranch }: Props) {
  const list = useListBranches();
  const address = url.trim();
  // What was found counts for the address that was looked at.
  const isCurrent = list.variables?.url === address;
  const found = isCurrent ? list.data : undefined;
  const error = isCurrent ? list.error : null;
  const urlError = fieldErrorsOf(error)['url'] ?? null;
  return (
    <>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-52 flex-1">
          <TextField
            label="Address"
            inputMode="url"
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://github.com/team/repository.git"
            value={url}
            onChange={(event) => {
              onUrl(event.target.value);
              onBranch('');
            }}
            required
            autoFocus
            maxLength={2000}
            error={urlError}
          />
        </div>
        <Button
          className="h-10"
          disabled={address === ''}
          busy={list.isPending}
          onClick={() => list.mutate({ url: address, ...(teamId !== undefined && { teamId }) })}
        >
          Test
        </Button>
      </div>
      {found === undefined ? (
        <p className="-mt-2.5 text-sm text-faint">
          https:// or SSH; private repositories with your git account or the team’s. The default branch is fetched with
          its whole history; test the address to choose another.
        </p>
      ) : (
        <SelectField
          label="Branch"
          value={branch}
          onChange={(event) => onBranch(event.target.value)}
          hint={found.truncated === true ? 'The first branches of many.' : undefined}
        >
          <option value="">
            {found.defaultBranch === null ? 'Default branch' : `${found.defaultBranch} (default)`}
          </option>
          {found.branches
            .filter((name) => name !== found.defaultBranch)
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </SelectField>
      )}
      {error !== null && urlError === null && (
        <Callout
          tone="bad"
          role="alert"
          actions={error instanceof ApiError && error.code === 'GIT_AUTH_FAILED' && <AddGitAccountLink />}
        >
          <FailureText error={error} />
        </Callout>
      )}
    </>
  );
}
