import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitBranches, SourceProgress } from '@chirality/contracts';
import {
  maskText,
  parseGitAddress,
  variableMasks,
  whyNoGitAddress,
  type GitAddress,
  type PrivateHosts,
} from '@chirality/domain';
import type { GitAct, GitAccounts } from '../../git-account/git-accounts';
import type { OpenedGitAccount } from '../../git-account/opened-account';
import { FetchFailedError } from '../project/fetch-failure';
import type { GitTransport } from './git-transport';
import { FETCH_REMOTE, LIST_BRANCHES } from './transport-script';

const MAX_BRANCHES = 2_000;
const LIST_TIMEOUT_MS = 60_000;
const LIST_DISK_BYTES = 16 * 1024 ** 2;

export type RemoteFetch = Omit<GitAct, 'projectId' | 'what'> & {
  projectId: string;
  /** An address without credentials. */
  url: string;
  /** The host's default branch without it. */
  branch?: string | undefined;
  /** Where `repo.git` is made. */
  directory: string;
  onProgress(progress: SourceProgress): void;
  /** Ends it at once. */
  stopped: AbortSignal;
};

type RemoteScript = Omit<Parameters<GitTransport['run']>[0], 'address' | 'account' | 'act'>;

interface Parts {
  transport: Pick<GitTransport, 'run'>;
  accounts: Pick<GitAccounts, 'act' | 'with'>;
  /** The operator's list. */
  privateHosts: PrivateHosts;
  /** For what is asked of a remote without keeping anything. */
  scratch: string;
}

/** What is read from repositories at other hosts, in the name of the user who acts. */
export class RemoteRepositories {
  constructor(private readonly parts: Parts) {}

  /**
   * The branch that was fetched, and its commit. Throws FetchFailedError with what the project then shows, and the
   * signal's reason when it was stopped.
   */
  async fetch({
    url,
    branch,
    directory,
    onProgress,
    stopped,
    ...who
  }: RemoteFetch): Promise<{ branch: string; baseCommit: string }> {
    const { transport, accounts } = this.parts;
    const address = this.addressOf(url);
    const printed = await accounts.act({ ...who, what: 'fetch' }, address, (account) =>
      transport.run({
        text: FETCH_REMOTE,
        args: [branch ?? ''],
        address,
        account,
        act: who,
        directory,
        onProgress,
        stopped,
      }),
    );
    const [fetched = '', baseCommit = ''] = printed.trim().split(' ');
    return { branch: fetched, baseCommit };
  }

  /**
   * What a script printed, run with the account that the act chooses, or with none. Throws FetchFailedError and the
   * signal's reason.
   */
  async run(
    act: GitAct,
    url: string,
    { withoutAccount, ...script }: RemoteScript & { withoutAccount?: boolean },
  ): Promise<string> {
    const { transport, accounts } = this.parts;
    const address = this.addressOf(url);
    const run = async (account: OpenedGitAccount | null) => {
      const printed = await transport.run({ ...script, address, account, act });
      // A remote may repeat what it was sent.
      return account === null ? printed : maskText(printed, variableMasks([account.secret]));
    };
    return withoutAccount ? run(null) : accounts.act(act, address, run);
  }

  /** With the account that an act would choose, or with the one given. Throws FetchFailedError. */
  async branches(act: GitAct, url: string, chosen?: OpenedGitAccount): Promise<GitBranches> {
    const { transport, accounts, scratch } = this.parts;
    const address = this.addressOf(url);
    const directory = join(scratch, randomBytes(8).toString('hex'));
    const list = (account: OpenedGitAccount | null) =>
      transport.run({
        text: LIST_BRANCHES,
        address,
        account,
        act,
        directory,
        limits: { timeoutMs: LIST_TIMEOUT_MS, diskBytes: LIST_DISK_BYTES },
      });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    try {
      return branchesOf(await (chosen ? accounts.with(act, chosen, list) : accounts.act(act, address, list)));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  private addressOf(url: string): GitAddress {
    const { privateHosts } = this.parts;
    const address = parseGitAddress(url, privateHosts);
    if (address) return address;
    throw new FetchFailedError({
      code: 'SOURCE_ADDRESS_REFUSED',
      detail: whyNoGitAddress(url, privateHosts) ?? 'The address cannot be used.',
    });
  }
}

/** Of what `git ls-remote --symref` prints; the default branch first. */
function branchesOf(printed: string): GitBranches {
  const lines = printed.split('\n').map((line) => line.split('\t'));
  const head = lines.find(([what = '', name]) => name === 'HEAD' && what.startsWith('ref: refs/heads/'));
  const defaultBranch = head?.[0]?.slice('ref: refs/heads/'.length) ?? null;
  const names = lines.flatMap(([id = '', name = '']) =>
    /^[0-9a-f]{40,64}$/.test(id) && name.startsWith('refs/heads/') ? [name.slice('refs/heads/'.length)] : [],
  );
  const others = names.filter((name) => name !== defaultBranch).sort();
  const branches = defaultBranch !== null && names.includes(defaultBranch) ? [defaultBranch, ...others] : others;
  return {
    branches: branches.slice(0, MAX_BRANCHES),
    defaultBranch,
    ...(branches.length > MAX_BRANCHES ? { truncated: true } : {}),
  };
}
