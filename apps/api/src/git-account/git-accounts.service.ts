import { Inject, Injectable } from '@nestjs/common';
import type { CreateGitAccount, GitAccount, GitAccountList } from '@chirality/contracts';
import { GitAccountRepository } from '@chirality/database';
import { gitAccountSealOf, gitTokenFault, gitUsernameFault, newId, parseGitHost } from '@chirality/domain';
import { CONFIG, ProblemError, SecretBox, type Config } from '@chirality/platform';
import { chosenTeam } from '../access/chosen-team';
import { teamIdsOf, type Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { gitAccountPolicy } from './git-account.policy';
import { newSshKeyPair } from './ssh-key-pair';

@Injectable()
export class GitAccountsService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'privateHosts'>,
    private readonly accounts: GitAccountRepository,
    private readonly secrets: SecretBox,
    private readonly audit: AuditTrail,
  ) {}

  /** One's own, and those of the named team or of every team in which one makes projects. */
  async list(who: Principal, teamId: string | undefined): Promise<GitAccountList> {
    if (teamId !== undefined && !gitAccountPolicy.read(who, chosenTeam(who, teamId).id))
      throw problems.forbidden('see the team’s git accounts', teamId);
    const teams = teamIdsOf(who).filter((id) => (teamId ?? id) === id && gitAccountPolicy.read(who, id));
    return { data: await this.accounts.list(teams, who.user.id), nextCursor: null };
  }

  /** The secret is sealed here; from then on only the worker that uses it sees it. */
  async create(who: Principal, request: CreateGitAccount): Promise<GitAccount> {
    const { scope, kind } = request;
    const teamId = scope === 'team' ? chosenTeam(who, request.teamId).id : null;
    if (!gitAccountPolicy.change(who, { teamId }))
      throw problems.forbidden('add git accounts', teamId ?? [...who.roles.keys()][0] ?? '');
    const host = parseGitHost(request.host, kind, this.config.privateHosts) ?? refuse('host', NO_HOST);
    const username = request.username ? request.username : null;
    const fault = username === null ? null : gitUsernameFault(username);
    if (fault !== null) throw invalid('username', fault);
    const id = newId('gitAccount');
    const { secret, ...shown } = kind === 'ssh' ? sshSecret(request, host) : tokenSecret(request);
    const stored = await this.accounts.put({
      id,
      ...(teamId === null ? { teamId, userId: who.user.id } : { teamId, userId: null }),
      host,
      kind,
      username,
      sealed: this.secrets.seal(secret, gitAccountSealOf(teamId ?? who.user.id, id)),
      ...shown,
      createdBy: { userId: who.user.id, name: who.user.name },
    });
    if (!stored)
      throw new ProblemError(
        'CONFLICT',
        `There is an SSH key for ${host} already. Use its public key, or remove it first.`,
      );
    await this.note(who, 'git-account:create', stored.account, { replaced: stored.replaced });
    return stored.account;
  }

  async remove(who: Principal, accountId: string): Promise<void> {
    const account = await this.find(who, accountId);
    if (!gitAccountPolicy.change(who, account))
      throw problems.forbidden('remove the team’s git accounts', account.teamId ?? '');
    if (!(await this.accounts.revoke(account.id))) throw problems.notFound('git account');
    await this.note(who, 'git-account:remove', account);
  }

  /** One's own, or one of a team that one is in. */
  async find(who: Principal, accountId: string): Promise<GitAccount> {
    const id = knownId('gitAccount', accountId);
    const account = (await this.accounts.list(teamIdsOf(who), who.user.id)).find((one) => one.id === id);
    return account ?? missing();
  }

  /** What a user does with their own account stands in the log of each of their teams. */
  private note(
    who: Principal,
    action: 'git-account:create' | 'git-account:remove',
    { id, teamId, scope, host, kind }: GitAccount,
    more: Record<string, unknown> = {},
  ): Promise<void> {
    const act = { action, object: id, detail: { scope, host, kind, ...more } };
    return teamId === null ? this.audit.recordForPerson(who.user.id, act) : this.audit.note(who, teamId, act);
  }
}

const NO_HOST =
  'Enter the name of the git host alone, such as git.example.com or git.example.com:8443. A private host must be listed by the operator in CHIRALITY_PRIVATE_HOSTS.';

type Secret = { secret: string; publicKey: string | null; fingerprint: string | null };

function tokenSecret({ secret = '' }: CreateGitAccount): Secret {
  const token = secret.trim();
  const fault = gitTokenFault(token);
  if (fault !== null) throw invalid('secret', fault);
  return { secret: token, publicKey: null, fingerprint: null };
}

function sshSecret({ secret }: CreateGitAccount, host: string): Secret {
  if (secret !== undefined && secret !== '')
    throw invalid('secret', 'The key pair is made here. Leave the secret out, and add the public key at the host.');
  const { privateKey, publicKey, fingerprint } = newSshKeyPair(`chirality@${host.replace(':', '-')}`);
  return { secret: privateKey, publicKey, fingerprint };
}

function invalid(path: string, message: string): ProblemError {
  return new ProblemError('VALIDATION_FAILED', message, { errors: [{ path, message }] });
}

function refuse(path: string, message: string): never {
  throw invalid(path, message);
}

function missing(): never {
  throw problems.notFound('git account');
}
