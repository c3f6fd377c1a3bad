import { Injectable } from '@nestjs/common';
import {
  LIMITED_OPTIONS,
  type Options,
  type ResolvedOptions,
  type ResolvedPersona,
  type Session,
} from '@chirality/contracts';
import { PriceRepository, ProjectRepository } from '@chirality/database';
import { BUILT_IN_OPTIONS, DEFAULT_PRICES, isKnownModel, limitsInForce, resolveOptions } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { problems } from '../core/problem/problems';
import { boundsOf } from './persona-resolver';
import { refuseBeyond } from './refuse-beyond';
import { SessionPersonas } from './session-personas';

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

  /** Throws VALIDATION_FAILED for options of a session or a turn that go beyond what its project and team allow. */
  async refuseBeyondLimits(projectId: string, options: Options): Promise<void> {
    if (LIMITED_OPTIONS.some((option) => options[option] !== undefined))
      refuseBeyond(options, limitsInForce((await this.projects.findDefaults(projectId)).limits));
  }

  /** `resolve`, for a turn to be run: throws PROJECT_NOT_READY while the project's files are not here, and for a turn that asks for more than it may. */
  async resolveToRun(
    session: Session,
    turn: Options,
  ): Promise<{ options: ResolvedOptions; persona: ResolvedPersona | null }> {
    const { sourceStatus, limits, ...resolved } = await this.shape(session, turn);
    if (sourceStatus !== 'ready') throw problems.projectNotReady(sourceStatus);
    refuseBeyond(turn, limitsInForce(limits));
    await this.knowModel(resolved.options);
    return resolved;
  }

  /** The table is asked only for a model that a new installation does not know. */
  private async knowModel({ model }: ResolvedOptions): Promise<void> {
    if (
      !model ||
      isKnownModel(DEFAULT_PRICES, model.value, new Date()) ||
      isKnownModel(await this.prices.list(), model.value, new Date())
    )
      return;
    throw new ProblemError(
      'VALIDATION_FAILED',
      `The model ${model.value} is not known here. Choose one that GET /v1/models lists, or have an owner of this installation add a price for it.`,
      { field: 'options.model', from: model.from },
    );
  }

  /** With the persona that they are of. Throws PERSONA_NOT_FOUND and the like when the session's persona cannot be used. */
  async resolve(
    session: Session,
    turn: Options,
  ): Promise<{ options: ResolvedOptions; persona: ResolvedPersona | null }> {
    const { options, persona } = await this.shape(session, turn);
    return { options, persona };
  }

  private async shape(session: Session, turn: Options) {
    const { project, team, limits, strict, sourceStatus } = await this.projects.findDefaults(session.projectId);
    const found = await this.personas.current(session, boundsOf(session.mode, { project, team, limits }));
    const resolved = resolveOptions({
      turn,
      session: session.options,
      persona: found?.options ?? null,
      project,
      team,
      builtIn: BUILT_IN_OPTIONS(session.mode),
      limits,
    });
    const options: ResolvedOptions = strict ? { ...resolved, strict: { value: true, from: 'project' } } : resolved;
    return { options, persona: found?.persona ?? null, sourceStatus, limits };
  }
}
