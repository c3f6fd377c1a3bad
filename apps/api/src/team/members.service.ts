import { Injectable } from '@nestjs/common';
import type { Belongings, Member, Page, Role } from '@chirality/contracts';
import {
  ApiTokenRepository,
  PasswordResetRepository,
  ServiceAccountRepository,
  SessionRepository,
  TeamRepository,
  UnpushedWorkRepository,
  type MembershipChange,
} from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { AccessChanges } from '../access/access-changes';
import { originatorOf, type Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';
import { TeamsService } from './teams.service';

@Injectable()
export class MembersService {
  constructor(
    private readonly teams: TeamsService,
    private readonly members: TeamRepository,
    private readonly sessions: SessionRepository,
    private readonly work: UnpushedWorkRepository,
    private readonly resets: PasswordResetRepository,
    private readonly tokens: ApiTokenRepository,
    private readonly accounts: ServiceAccountRepository,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, teamId: string): Promise<Page<Member>> {
    const team = await this.teams.get(who, teamId);
    if (!teamPolicy.listMembers(who, team)) throw problems.forbidden('see who is in the team', team.id);
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
    if (member.kind === 'service') throw isServiceAccount();
    const team = { id: teamId };
    const touchesOwner = member.role === 'owner' || role === 'owner';
    if (!(touchesOwner ? teamPolicy.manageOwners(who, team) : teamPolicy.manage(who, team)))
      throw problems.forbidden('change that role', teamId);
    const accounts = await this.accountsOf(teamId, userId);
    refuseUnlessDone(await this.members.changeRole(teamId, userId, role));
    if (role === 'viewer') this.tellEnded(await this.tokens.revokeMadeForAccounts(teamId, userId));
    for (const id of [userId, ...accounts]) await this.changes.revoke({ userId: id });
    await this.audit.note(who, teamId, {
      action: 'member:role',
      object: userId,
      detail: { name: member.name, from: member.role, to: role },
    });
    await this.voidResets(teamId, member);
    return this.get(who, teamId, userId);
  }

  /** For those who may remove the member. */
  async belongings(who: Principal, teamId: string, userId: string): Promise<Belongings> {
    await this.removable(who, teamId, userId);
    const [belongings, privateSessionsWithWork] = await Promise.all([
      this.members.belongingsOf(teamId, userId),
      this.work.countPrivateOf(teamId, userId),
    ]);
    return { ...belongings, privateSessionsWithWork };
  }

  /**
   * Removes a member, or oneself. What they have open ends at once. Their sessions go to `handTo`; without it the
   * private ones, which no one could reach any longer, are archived.
   */
  async remove(who: Principal, teamId: string, userId: string, handTo: string | null): Promise<void> {
    const member = await this.removable(who, teamId, userId);
    const leaves = userId === who.user.id;
    const orphans = handTo === null ? await this.members.privateSessionsOf(teamId, userId) : [];
    const accounts = await this.accountsOf(teamId, userId);
    refuseUnlessDone(await this.members.removeMember(teamId, userId, handTo === null ? null : knownId('user', handTo)));
    this.tellEnded(await this.tokens.revokeOfMember(teamId, userId));
    for (const id of [userId, ...accounts]) await this.changes.revoke({ userId: id });
    // Before what may take long or fail: the removal is done, and is not done again to be recorded.
    await this.audit.note(who, teamId, {
      action: leaves ? 'member:leave' : 'member:remove',
      object: userId,
      detail: { name: member.name, role: member.role, handedTo: handTo, archivedSessions: orphans.length },
    });
    await this.voidResets(teamId, member);
    for (const sessionId of orphans) await this.sessions.archive(sessionId, originatorOf(who));
  }

  /** Service accounts that the member answers for: suspended with them, unless another member takes them over. */
  private async accountsOf(teamId: string, userId: string): Promise<string[]> {
    const owned = await this.accounts.list([], userId);
    return owned.filter((account) => account.teamId === teamId).map(({ id }) => id);
  }

  private tellEnded(tokens: readonly { id: string; userId: string }[]): void {
    for (const { id, userId } of tokens) this.changes.tell({ userId, familyId: id });
  }

  /** A manager may have made reset links for others, and what a link for this member reaches has changed. */
  private async voidResets(teamId: string, { userId, role }: Member): Promise<void> {
    await this.resets.voidOf(userId);
    if (role === 'owner' || role === 'admin') await this.resets.voidInTeam(teamId);
  }

  private async removable(who: Principal, teamId: string, userId: string): Promise<Member> {
    const member = await this.get(who, teamId, userId);
    const team = { id: teamId };
    const may =
      userId === who.user.id ||
      (member.role === 'owner' ? teamPolicy.manageOwners(who, team) : teamPolicy.manage(who, team));
    if (!may) throw problems.forbidden('remove that member', teamId);
    return member;
  }
}

/** What is about roles and passwords of people has no meaning for it. */
export function isServiceAccount(): ProblemError {
  return new ProblemError('CONFLICT', 'This member is a service account: it has no password and stays a member.');
}

function refuseUnlessDone(change: MembershipChange): void {
  if (change === 'not_found') throw problems.notFound('member');
  if (change === 'no_heir')
    throw new ProblemError(
      'VALIDATION_FAILED',
      'Choose a member of the team, other than a viewer, to take over the sessions.',
      { errors: [{ path: 'handTo', message: 'Choose a member of the team, other than a viewer.' }] },
    );
  if (change === 'last_owner')
    throw new ProblemError('CONFLICT', 'A team needs at least one owner. Make another member an owner first.');
}
