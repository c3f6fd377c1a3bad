import { Injectable } from '@nestjs/common';
import type { Options, ResolvedOptions, ResolvedPersona, Session } from '@chirality/contracts';
import { PriceRepository, ProjectRepository } from '@chirality/database';
import { BUILT_IN_OPTIONS, DEFAULT_PRICES, isKnownModel, resolveOptions } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../auth/principal';
import { boundsOf } from '../persona/persona-resolver';
import { problems } from '../problem/problems';
import { SessionPersonas } from '../persona/session-personas';
import { SessionAccess } from './session-access';

/** Turn → session → persona → project → team → built-in: every option that holds, and where it came from. */
@Injectable()
export class OptionChain {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly projects: ProjectRepository,
    private readonly personas: SessionPersonas,
    private readonly prices: PriceRepository,
  ) {}

  /** For a session's next turn, as things are now. */
  async ofSession(who: Principal, sessionId: string): Promise<ResolvedOptions> {
    return (await this.resolve(await this.sessions.forReading(who, sessionId), {})).options;
  }

  /** `resolve`, for a turn to be run: throws PROJECT_NOT_READY while the project's files are not here. */
  async resolveToRun(session: Session, turn: Options): Promise<{ options: ResolvedOptions; persona: ResolvedPersona | null }> {
    const { sourceStatus, ...resolved } = await this.shape(session, turn);
    if (sourceStatus !== 'ready') throw problems.projectNotReady(sourceStatus);
    await this.knowModel(resolved.options);
    return resolved;
  }

  /** The table is asked only for a model that a new installation does not know. */
  private async knowModel({ model }: ResolvedOptions): Promise<void> {
    if (!model || isKnownModel(DEFAULT_PRICES, model.value, new Date()) || isKnownModel(await this.prices.list(), model.value, new Date())) return;
    throw new ProblemError('VALIDATION_FAILED', `The model ${model.value} is not known here. Choose one that GET /v1/models lists, or have an owner of this installation add a price for it.`, { field: 'options.model', from: model.from });
  }

  /** With the persona that they are of. Throws PERSONA_NOT_FOUND and the like when the session's persona cannot be used. */
  async resolve(session: Session, turn: Options): Promise<{ options: ResolvedOptions; persona: ResolvedPersona | null }> {
    const { options, persona } = await this.shape(session, turn);
    return { options, persona };
  }

  private async shape(session: Session, turn: Options) {
    const { project, team, strict, sourceStatus } = await this.projects.findDefaults(session.projectId);
    const found = await this.personas.current(session, boundsOf(session.mode, { project, team }));
    const resolved = resolveOptions({
      turn,
      session: session.options,
      persona: found?.options ?? null,
      project,
      team,
      builtIn: BUILT_IN_OPTIONS(session.mode),
    });
    const options: ResolvedOptions = strict ? { ...resolved, strict: { value: true, from: 'project' } } : resolved;
    return { options, persona: found?.persona ?? null, sourceStatus };
  }
}
