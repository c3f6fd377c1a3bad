import { Injectable } from '@nestjs/common';
import type { CreateServiceAccount, Page, ServiceAccount, UpdateServiceAccount } from '@chirality/contracts';
import { ServiceAccountRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { AccessChanges } from '../access/access-changes';
import { roleIn, teamIdsOf, type Principal } from '../access/principal';
import { serviceAccountPolicy } from './service-account.policy';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { KeysService } from '../key/keys.service';
import { MembersService } from '../team/members.service';

const MAX_ACCOUNTS = 100;

/** Members of a team that are no people: they act by tokens, and a member answers for each. */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly accounts: ServiceAccountRepository,
    private readonly members: MembersService,
    private readonly keys: KeysService,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  /** Of the teams that one manages, and those that one answers for. */
  async list(who: Principal, teamId: string | undefined): Promise<Page<ServiceAccount>> {
    if (teamId !== undefined && roleIn(who, teamId) === null) throw problems.notFound('team');
    const managed = teamIdsOf(who).filter((id) => serviceAccountPolicy.manage(who, { teamId: id }));
    const all = await this.accounts.list(managed, who.user.id);
    return wholePage(all.filter((one) => serviceAccountPolicy.use(who, one) && (teamId ?? one.teamId) === one.teamId));
  }

  async create(who: Principal, { teamId, name, ownerId }: CreateServiceAccount): Promise<ServiceAccount> {
    if (roleIn(who, teamId) === null) throw problems.notFound('team');
    if (!serviceAccountPolicy.manage(who, { teamId })) throw problems.forbidden('create service accounts', teamId);
    if ((await this.accounts.list([teamId], '')).length >= MAX_ACCOUNTS)
      throw new ProblemError('CONFLICT', `A team has at most ${MAX_ACCOUNTS} service accounts. Delete one first.`);
    const by = { userId: who.user.id, name: who.user.name };
    const account = await this.accounts.create({ teamId, name, ownerId: ownerId ?? who.user.id }, by);
    if (!account) throw noOwner();
    await this.audit.note(who, teamId, {
      action: 'service-account:create',
      object: account.id,
      detail: { name, owner: account.owner },
    });
    return account;
  }

  async get(who: Principal, id: string): Promise<ServiceAccount> {
    const account = await this.accounts.find(knownId('user', id));
    if (!account || !serviceAccountPolicy.use(who, account)) throw problems.notFound('service account');
    return account;
  }

  async update(who: Principal, id: string, { name, ownerId, key }: UpdateServiceAccount): Promise<ServiceAccount> {
    const account = await this.get(who, id);
    if (ownerId !== undefined && !serviceAccountPolicy.manage(who, account))
      throw problems.forbidden('say who answers for a service account', account.teamId);
    if (typeof key === 'string') await this.keys.setOfAccount(who, account, key);
    const outcome = await this.accounts.update(account.id, {
      ...(name === undefined ? {} : { name }),
      ...(ownerId === undefined ? {} : { ownerId }),
    });
    if (outcome === 'not_found') throw problems.notFound('service account');
    if (outcome === 'no_owner') throw noOwner();
    const changed = Object.entries({ name, owner: ownerId }).flatMap(([what, to]) => (to === undefined ? [] : [what]));
    if (changed.length > 0)
      await this.audit.note(who, account.teamId, {
        action: 'service-account:update',
        object: account.id,
        detail: { name: name ?? account.name, changed, ...(ownerId === undefined ? {} : { ownerId }) },
      });
    if (key === null) await this.keys.removeOfAccount(who, account);
    this.changes.tell({ userId: account.id });
    // A member who names another one to answer for it may not see it afterwards.
    return (await this.accounts.find(account.id)) ?? account;
  }

  /** Its tokens end, what runs in its name is ended, and its sessions go to the member who answers for it. */
  async remove(who: Principal, id: string): Promise<void> {
    const account = await this.get(who, id);
    if (!serviceAccountPolicy.manage(who, account)) throw problems.forbidden('delete service accounts', account.teamId);
    await this.members.remove(who, account.teamId, account.id, account.owner?.userId ?? who.user.id);
    await this.audit.note(who, account.teamId, {
      action: 'service-account:remove',
      object: account.id,
      detail: { name: account.name },
    });
  }
}

function noOwner(): ProblemError {
  return new ProblemError('VALIDATION_FAILED', 'Choose a member of the team, other than a viewer, to answer for it.', {
    errors: [{ path: 'ownerId', message: 'Choose a member of the team, other than a viewer.' }],
  });
}
