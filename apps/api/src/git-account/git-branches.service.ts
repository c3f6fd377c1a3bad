import { Inject, Injectable } from '@nestjs/common';
import { workspaceLimitMs, type GitBranches, type TestGitAccount, type WorkspaceJob } from '@chirality/contracts';
import { WorkspaceClient } from '@chirality/messaging';
import { gitHostOf, parseGitAddress, whyNoGitAddress, type GitAddress } from '@chirality/domain';
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
    const message = whyNoGitAddress(url, privateHosts) ?? 'The git address cannot be used.';
    throw new ProblemError('VALIDATION_FAILED', message, { errors: [{ path: 'url', message }] });
  }
}
