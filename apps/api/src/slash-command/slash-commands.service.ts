import { Injectable } from '@nestjs/common';
import type { Session, SlashAliases, SlashCommand } from '@chirality/contracts';
import { TeamRepository } from '@chirality/database';
import { aliasFault, BUILT_IN_COMMANDS, commandLine, mayCommand, type CommandNeeds } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { sessionPolicy } from '../access/session.policy';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { problems } from '../core/problem/problems';
import { TeamsService } from '../team/teams.service';

@Injectable()
export class SlashCommandsService {
  constructor(
    private readonly access: SessionAccess,
    private readonly teams: TeamsService,
    private readonly rows: TeamRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** What the caller can use in the session; without one, what does not depend on a session. */
  async list(who: Principal, sessionId: string | undefined): Promise<SlashCommand[]> {
    const session = sessionId === undefined ? null : await this.access.forReading(who, sessionId);
    const own = BUILT_IN_COMMANDS.filter(({ needs }) => isWithin(who, needs, session)).map(
      ({ needs: _needs, ...command }): SlashCommand => command,
    );
    if (session === null) return own;
    const aliases = await this.rows.findSlashAliases(session.teamId);
    return [...own, ...aliases.flatMap((alias) => expanded(alias, own))];
  }

  async aliasesOf(who: Principal, teamId: string): Promise<{ aliases: SlashAliases }> {
    const team = await this.teams.get(who, teamId);
    return { aliases: await this.rows.findSlashAliases(team.id) };
  }

  async replaceAliases(who: Principal, teamId: string, aliases: SlashAliases): Promise<{ aliases: SlashAliases }> {
    const team = await this.teams.get(who, teamId);
    if (!teamPolicy.manage(who, team)) throw problems.forbidden('change the team’s command aliases', team.id);
    const fault = aliasFault(aliases);
    if (fault !== null) throw new ProblemError('VALIDATION_FAILED', fault.message, { errors: [fault] });
    const before = await this.rows.replaceSlashAliases(team.id, aliases);
    if (JSON.stringify(before) !== JSON.stringify(aliases))
      await this.audit.note(who, team.id, {
        action: 'team:aliases',
        object: team.id,
        detail: { from: before, to: aliases },
      });
    return { aliases };
  }
}

function isWithin(who: Principal, needs: CommandNeeds, session: Session | null): boolean {
  if (who.token !== undefined) {
    if (needs.signedIn) return false;
    if (needs.command !== undefined && !mayCommand(who.token.claims, needs.command)) return false;
  }
  if (needs.session === undefined) return true;
  if (session === null || session.status === 'archived') return false;
  return sessionPolicy[needs.session](who, session);
}

/** An alias is there where its command is, and takes no more than that does. */
function expanded({ name, expandsTo }: SlashAliases[number], own: SlashCommand[]): SlashCommand[] {
  const [line = ''] = expandsTo.slice(1).split(/\s/, 1);
  const target = own.find((command) => commandLine(command) === line);
  if (target === undefined) return [];
  return [{ namespace: null, name, description: `Alias of ${expandsTo}`, argsSchema: target.argsSchema, expandsTo }];
}
