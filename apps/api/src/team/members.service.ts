import { Injectable } from '@nestjs/common';
import type { Member, Page, Role } from '@chirality/contracts';
import { TeamRepository, type MembershipChange } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { AuditTrail } from '../audit/audit-trail';
import type { Principal } from '../auth/principal';
import { AccessChanges } from '../event/access-changes';
import { wholePage } from '../http/json-page';
import { problems } from '../problem/problems';
import { teamPolicy } from './team.policy';
import { TeamsService } from './teams.service';

@Injectable()
export class MembersService {
  constructor(
    private readonly teams: TeamsService,
    private readonly members: TeamRepository,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, teamId: string): Promise<Page<Member>> {
    const team = await this.teams.get(who, teamId);
    if (!teamPolicy.listMembers(who, team)) throw problems.forbidden('see who is in the team');
    return wholePage(await this.members.listMembers(team.id));
  }

  async get(who: Principal, teamId: string, userId: string): Promise<Member> {
    const { data } = await this.list(who, teamId);
    const member = data.find((one) => one.userId === userId);
    if (!member) throw problems.notFound('member');
    return member;
  }

  async setRole(who: Principal, teamId: string, userId: string, role: Role): Promise<Member> {
    const member = await this.get(who, teamId, userId);
    const team = { id: teamId };
    const touchesOwner = member.role === 'owner' || role === 'owner';
    if (!(touchesOwner ? teamPolicy.manageOwners(who, team) : teamPolicy.manage(who, team))) throw problems.forbidden('change that role');
    refuseUnlessDone(await this.members.changeRole(teamId, userId, role));
    await this.changes.revoke({ userId });
    await this.audit.note(who, teamId, { action: 'member:role', object: userId, detail: { from: member.role, to: role } });
    return this.get(who, teamId, userId);
  }

  /** Removes somebody, or oneself. What they have open ends at once. */
  async remove(who: Principal, teamId: string, userId: string): Promise<void> {
    const member = await this.get(who, teamId, userId);
    const team = { id: teamId };
    const leaves = userId === who.user.id;
    const may = leaves || (member.role === 'owner' ? teamPolicy.manageOwners(who, team) : teamPolicy.manage(who, team));
    if (!may) throw problems.forbidden('remove that member');
    refuseUnlessDone(await this.members.removeMember(teamId, userId));
    await this.changes.revoke({ userId });
    await this.audit.note(who, teamId, { action: leaves ? 'member:leave' : 'member:remove', object: userId, detail: { role: member.role } });
  }
}

function refuseUnlessDone(change: MembershipChange): void {
  if (change === 'not_found') throw problems.notFound('member');
  if (change === 'last_owner') throw new ProblemError('CONFLICT', 'A team keeps at least one owner. Make somebody else an owner first.');
}
