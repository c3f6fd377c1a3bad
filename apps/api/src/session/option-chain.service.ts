import { Injectable } from '@nestjs/common';
import type { Options, ResolvedOptions, Session } from '@chirality/contracts';
import { ProjectRepository } from '@chirality/database';
import { BUILT_IN_OPTIONS, resolveOptions } from '@chirality/domain';
import type { Principal } from '../auth/principal';
import { PersonaCatalog } from '../persona/persona-catalog';
import { SessionAccess } from './session-access';

/** Turn → session → persona → project → team → built-in: every option that holds, and where it came from. */
@Injectable()
export class OptionChain {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly projects: ProjectRepository,
    private readonly personas: PersonaCatalog,
  ) {}

  /** For a session's next turn, as things are now. */
  async ofSession(who: Principal, sessionId: string): Promise<ResolvedOptions> {
    return this.resolve(await this.sessions.forReading(who, sessionId), {});
  }

  async resolve(session: Session, turn: Options): Promise<ResolvedOptions> {
    const { project, team, strict } = await this.projects.findDefaults(session.projectId);
    const resolved = resolveOptions({
      turn,
      session: session.options,
      persona: this.personas.optionsOf(session.persona),
      project,
      team,
      builtIn: BUILT_IN_OPTIONS(session.mode),
    });
    return strict ? { ...resolved, strict: { value: true, from: 'project' } } : resolved;
  }
}
