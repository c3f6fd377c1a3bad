import { Inject, Injectable } from '@nestjs/common';
import {
  workspaceLimitMs,
  type CreateGitAccount,
  type GitBranches,
  type SavedGitAccount,
  type TestGitAccount,
  type WorkspaceJob,
} from '@chirality/contracts';
import { WorkspaceClient } from '@chirality/messaging';
import { gitHostOf, parseGitAddress, parseGitHost, whyNoGitAddress, type GitAddress } from '@chirality/domain';
import { CONFIG, ProblemError, type Config } from '@chirality/platform';
import { chosenTeam } from '../access/chosen-team';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { problems } from '../core/problem/problems';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';
import { gitAccountPolicy } from './git-account.policy';
import { GitAccountsService } from './git-accounts.service';

type BranchesJob = Extract<WorkspaceJob, { act: 'list-branches' }>;

const REPLY_GRACE_MS = 500;

/** What repositories at other hosts have, as a worker reads it. Nothing here runs git or opens a secret. */
@Injectable()
export class GitBranchesService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'privateHosts'>,
    private readonly accounts: GitAccountsService,
    readonly workers: LiveWorkers,
    readonly workspaces: WorkspaceClient,
  ) {}

  /** Saves an account, then tests it where an address is given: what its host says is part of the answer. */
  async createTested(who: Principal, { url, ...request }: CreateGitAccount): Promise<SavedGitAccount> {
    if (url === undefined) return this.accounts.create(who, request);
    if (request.kind === 'ssh')
      throw invalidUrl('A pair of keys is tested after its public key was added at the host. Leave the address out.');
    // What cannot be tested is refused before anything is saved.
    const address = this.addressOf(url);
    const host = parseGitHost(request.host, request.kind, this.config.privateHosts);
    if (host !== null && (gitHostOf(address) !== host || address.protocol === 'ssh'))
      throw invalidUrl(`Enter the https address of a repository at ${host}.`);
    const account = await this.accounts.create(who, request);
    const test = await this.test(who, account.id, { url, ...(request.teamId ? { teamId: request.teamId } : {}) }).then(
      ({ branches, defaultBranch }) => ({ isAccepted: true as const, branches: branches.length, defaultBranch }),
      (error: unknown) => {
        if (!(error instanceof ProblemError)) throw error;
        return { isAccepted: false as const, code: error.code, detail: error.detail };
      },
    );
    return { ...(await this.accounts.find(who, account.id)), test };
  }

  /** With that account and no other, whose last use or failure it then is. */
  async test(who: Principal, accountId: string, { url, teamId }: TestGitAccount): Promise<GitBranches> {
    const account = await this.accounts.find(who, accountId);
    if (!gitAccountPolicy.use(who, account))
      throw problems.forbidden('use the team’s git accounts', account.teamId ?? '');
    const address = this.addressOf(url);
    const kind = address.protocol === 'ssh' ? 'ssh' : 'token';
    if (gitHostOf(address) !== account.host || kind !== account.kind)
      throw new ProblemError(
        'VALIDATION_FAILED',
        `This account signs in to ${account.host} over ${account.kind === 'ssh' ? 'SSH' : 'https'}. Enter the address of a repository there.`,
      );
    // In that team a host key is pinned and audited, also where the account is one's own.
    const team = account.teamId === null ? chosenTeam(who, teamId) : { id: account.teamId };
    if (!teamPolicy.contribute(who, team)) throw problems.forbidden('test git accounts', team.id);
    return this.ask(who, { teamId: team.id, url: address.url, accountId: account.id, ofProject: null });
  }

  /** With the account that fetching a new project of the team would use. */
  async ofAddress(who: Principal, { url, teamId }: TestGitAccount): Promise<GitBranches> {
    const team = chosenTeam(who, teamId);
    if (!teamPolicy.contribute(who, team)) throw problems.forbidden('make projects', team.id);
    return this.ask(who, { teamId: team.id, url: this.addressOf(url).url, accountId: null, ofProject: null });
  }

  /** With the account that fetching the project's files would use. The caller has checked the address and who may. */
  async ofProject(who: Principal, project: { id: string; teamId: string }, url: string): Promise<GitBranches> {
    return this.ask(who, { teamId: project.teamId, url, accountId: null, ofProject: project.id });
  }

  private async ask(
    who: Principal,
    { teamId, ...job }: { teamId: string } & Pick<BranchesJob, 'url' | 'accountId' | 'ofProject'>,
  ): Promise<GitBranches> {
    const wanted: BranchesJob = { act: 'list-branches', who: { teamId, userId: who.user.id }, ...job };
    return (await askWorkspace(this, wanted, workspaceLimitMs(wanted.act) + REPLY_GRACE_MS)).branches;
  }

  private addressOf(url: string): GitAddress {
    const { privateHosts } = this.config;
    const address = parseGitAddress(url, privateHosts);
    if (address) return address;
    throw invalidUrl(whyNoGitAddress(url, privateHosts) ?? 'The git address cannot be used.');
  }
}

function invalidUrl(message: string): ProblemError {
  return new ProblemError('VALIDATION_FAILED', message, { errors: [{ path: 'url', message }] });
}
