import { Injectable } from '@nestjs/common';
import type { ResolvedPersona, Session } from '@chirality/contracts';
import { ProjectRepository } from '@chirality/database';
import type { PersonaBounds, UsablePersona } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { problems } from '../core/problem/problems';
import { boundsOf, PersonaResolver, type PersonaScope } from './persona-resolver';

type SessionRef = Pick<Session, 'projectId' | 'persona' | 'personaOrigin'>;

/** The persona of a session, as it is now. */
@Injectable()
export class SessionPersonas {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly resolver: PersonaResolver,
  ) {}

  /** What the next turn gets; null for a session without persona. Throws PERSONA_NOT_FOUND when it no longer exists. */
  async current(
    { projectId, persona, personaOrigin }: SessionRef,
    bounds: PersonaBounds,
  ): Promise<UsablePersona | null> {
    if (persona === null) return null;
    const found = await this.resolver.find(await this.scopeOf(projectId), {
      key: persona,
      bounds,
      chosenAs: personaOrigin ?? 'built-in',
    });
    if (found) return found;
    throw new ProblemError(
      'PERSONA_NOT_FOUND',
      `The persona ${persona} no longer exists where this session had it from. Choose another one for the session.`,
    );
  }

  /** Throws PERSONA_NOT_FOUND for a key that means nothing in the project, or whose file is broken. */
  async choose({ projectId, mode }: Pick<Session, 'projectId' | 'mode'>, key: string): Promise<ResolvedPersona> {
    const [project, defaults] = await Promise.all([this.scopeOf(projectId), this.projects.findDefaults(projectId)]);
    const found = await this.resolver.find(project, { key, bounds: boundsOf(mode, defaults) });
    if (!found) throw problems.personaNotFound();
    return found.persona;
  }

  private async scopeOf(projectId: string): Promise<PersonaScope> {
    const project = await this.projects.find(projectId);
    if (!project) throw problems.projectNotFound();
    return project;
  }
}
