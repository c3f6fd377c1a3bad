import { Injectable } from '@nestjs/common';
import type { GitHostKey, GitHostKeyList } from '@chirality/contracts';
import { GitHostKeyRepository, type PinnedHostKey } from '@chirality/database';
import { chosenTeam } from '../access/chosen-team';
import { teamIdsOf, type Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { gitAccountPolicy } from './git-account.policy';
import { readHostKeys } from './ssh-key-pair';

@Injectable()
export class GitHostKeysService {
  constructor(
    private readonly keys: GitHostKeyRepository,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, teamId: string | undefined): Promise<GitHostKeyList> {
    if (teamId !== undefined && !gitAccountPolicy.read(who, chosenTeam(who, teamId).id))
      throw problems.forbidden('see the host keys that the team knows', teamId);
    const teams = teamIdsOf(who).filter((id) => (teamId ?? id) === id && gitAccountPolicy.read(who, id));
    return { data: (await this.keys.list(teams)).map(shownHostKey), nextCursor: null };
  }

  /** The next use of the host pins the key that it shows then. */
  async remove(who: Principal, hostKeyId: string): Promise<void> {
    const id = knownId('gitHostKey', hostKeyId);
    const key = (await this.keys.list(teamIdsOf(who))).find((one) => one.id === id);
    if (!key) throw problems.notFound('host key');
    if (!gitAccountPolicy.forgetHostKey(who, key.teamId)) throw problems.forbidden('remove host keys', key.teamId);
    if (!(await this.keys.remove(key.id))) throw problems.notFound('host key');
    await this.audit.note(who, key.teamId, {
      action: 'git-host-key:remove',
      object: key.id,
      detail: { host: key.host, keys: readHostKeys(key.lines) },
    });
  }
}

function shownHostKey({ id, teamId, host, lines, pinnedAt }: PinnedHostKey): GitHostKey {
  return { id, teamId, host, keys: readHostKeys(lines), pinnedAt: pinnedAt.toISOString() };
}
