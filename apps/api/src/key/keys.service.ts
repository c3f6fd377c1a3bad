import { Inject, Injectable } from '@nestjs/common';
import type { KeyScope, ModelKey, ModelKeyList, PaidBy } from '@chirality/contracts';
import { ModelKeyRepository } from '@chirality/database';
import { modelKeyFault, modelKeyHint, modelKeySealOf, newId, readPastedKey } from '@chirality/domain';
import { CONFIG, ProblemError, SecretBox, type Config } from '@chirality/platform';
import { chosenTeam } from '../access/chosen-team';
import { teamIdsOf, type Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { keyPolicy } from './key.policy';
import { BillingAccount } from './billing-account';

type KeyRequest = { scope: KeyScope; value: string; teamId?: string | undefined };

@Injectable()
export class KeysService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: ModelKeyRepository,
    private readonly account: BillingAccount,
    private readonly secrets: SecretBox,
    private readonly audit: AuditTrail,
  ) {}

  /** Of the named team, or of every team in which the person may send turns. */
  async list(who: Principal, teamId: string | undefined): Promise<ModelKeyList> {
    const teams =
      teamId === undefined ? teamIdsOf(who).filter((id) => keyPolicy.read(who, id)) : [this.readableTeam(who, teamId)];
    const data = await this.keys.list(teams, who.user.id);
    return { data, nextCursor: null, paidBy: Object.fromEntries(teams.map((id) => [id, this.billedTo(id, data)])) };
  }

  /**
   * The value is sealed here; from then on only the workers that use it see it. It is not tested with the model's
   * service.
   */
  async set(who: Principal, { scope, value: pasted, teamId }: KeyRequest): Promise<ModelKey> {
    const team = chosenTeam(who, teamId);
    if (!keyPolicy.change(who, { teamId: team.id, scope }))
      throw problems.forbidden(scope === 'team' ? 'set the team’s key' : 'set a key', team.id);
    return this.store(who, { scope, teamId: team.id, userId: scope === 'team' ? null : who.user.id }, pasted);
  }

  /** Gives a service account its own key. The caller has checked that the person may. */
  async setOfAccount(who: Principal, account: { id: string; teamId: string }, pasted: string): Promise<void> {
    await this.store(who, { scope: 'user', teamId: account.teamId, userId: account.id }, pasted);
  }

  /** Takes it away; from then on its turns are billed as those of members without a key. */
  async removeOfAccount(who: Principal, account: { id: string; teamId: string }): Promise<void> {
    if (await this.keys.revokeOfMember(account.teamId, account.id))
      await this.audit.note(who, account.teamId, {
        action: 'key:remove',
        object: account.id,
        detail: { scope: 'user', serviceAccount: account.id },
      });
  }

  async remove(who: Principal, keyId: string): Promise<void> {
    const key = (await this.keys.list(teamIdsOf(who), who.user.id)).find(({ id }) => id === keyId);
    if (!key) throw problems.notFound('key');
    if (!keyPolicy.change(who, key)) throw problems.forbidden('remove the team’s key', key.teamId);
    if (!(await this.keys.revoke(key.id))) throw problems.notFound('key');
    await this.audit.note(who, key.teamId, { action: 'key:remove', object: key.id, detail: { scope: key.scope } });
  }

  private async store(
    who: Principal,
    { scope, teamId, userId }: { scope: KeyScope; teamId: string; userId: string | null },
    pasted: string,
  ): Promise<ModelKey> {
    const value = readPastedKey(pasted);
    const fault = modelKeyFault(value, { anthropic: this.config.anthropicBaseUrl === null });
    if (fault !== null)
      throw new ProblemError('VALIDATION_FAILED', fault, { errors: [{ path: 'value', message: fault }] });
    const id = newId('key');
    const { key, replaced } = await this.keys.put({
      id,
      teamId,
      userId,
      sealed: this.secrets.seal(value, modelKeySealOf(id)),
      hint: modelKeyHint(value),
      createdBy: { userId: who.user.id, name: who.user.name },
    });
    const serviceAccount = userId === null || userId === who.user.id ? {} : { serviceAccount: userId };
    await this.audit.note(who, teamId, {
      action: 'key:set',
      object: id,
      detail: { scope, replaced, ...serviceAccount },
    });
    return key;
  }

  private readableTeam(who: Principal, teamId: string): string {
    const team = chosenTeam(who, teamId);
    if (!keyPolicy.read(who, team.id)) throw problems.forbidden('see the team’s keys', team.id);
    return team.id;
  }

  private billedTo(teamId: string, keys: ModelKey[]): PaidBy {
    const scopes = keys.filter((key) => key.teamId === teamId).map(({ scope }) => scope);
    if (scopes.includes('user')) return 'user';
    if (scopes.includes('team')) return 'team';
    return this.account.withoutKey;
  }
}
