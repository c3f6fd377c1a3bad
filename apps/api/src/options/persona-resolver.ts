import { Injectable } from '@nestjs/common';
import type { Options, PersonaOrigin, ProjectSource, SessionMode } from '@chirality/contracts';
import { PersonaRepository, PersonaTextRepository, type StoredPersona } from '@chirality/database';
import {
  BUILT_IN_OPTIONS,
  normalizePersonaKey,
  personaFileOf,
  limitsInForce,
  resolvePersona,
  type LimitChain,
  type PersonaBounds,
  type UsablePersona,
} from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { candidateOf, problemSentence, type CandidateWithText } from './candidate';
import { PersonaCatalog } from './persona-catalog';
import { ProjectPersonas } from './project-personas';

export type PersonaScope = { id: string; teamId: string; source: ProjectSource; bundleKey: string | null };
type Wanted = { key: string; bounds: PersonaBounds; chosenAs?: PersonaOrigin | null };

/** What a project's persona is measured against: what holds where no persona is. */
export function boundsOf(
  mode: SessionMode,
  { project, team, limits }: { project: Options | null; team: Options | null; limits: LimitChain },
): PersonaBounds {
  const maxTurns = project?.maxTurns ?? team?.maxTurns ?? BUILT_IN_OPTIONS(mode).maxTurns ?? 1;
  return { maxTurns: Math.min(maxTurns, limitsInForce(limits).maxTurns?.value ?? maxTurns) };
}

/** The one answer to what a persona's key means in a project: for the list, for a choice, for a boot, for a turn. */
@Injectable()
export class PersonaResolver {
  constructor(
    private readonly team: PersonaRepository,
    private readonly texts: PersonaTextRepository,
    private readonly builtIn: PersonaCatalog,
    private readonly projects: ProjectPersonas,
  ) {}

  /** Everything that could be meant; `notice` says why the project's own are not among it. */
  async candidates(project: PersonaScope): Promise<{ candidates: CandidateWithText[]; notice: string | null }> {
    const [everywhere, ofProject] = await Promise.all([this.candidatesOfTeam(project.teamId), this.ofProject(project)]);
    return { candidates: [...everywhere, ...ofProject.candidates], notice: ofProject.notice };
  }

  /** What could be meant in every project of the team. */
  async candidatesOfTeam(teamId: string): Promise<CandidateWithText[]> {
    return [...(await this.team.list(teamId)).map(teamCandidate), ...this.builtIn.candidates()];
  }

  /**
   * The persona with its options, its text kept for those who work with it; null for a key that means nothing. Throws
   * PERSONA_NOT_FOUND with file, line and field for one whose file is broken.
   */
  async find(project: PersonaScope, { key, bounds, chosenAs }: Wanted): Promise<UsablePersona | null> {
    const wanted = normalizePersonaKey(key);
    const candidates = await this.candidatesFor(project, wanted, chosenAs ?? null);
    const choice = resolvePersona(candidates, wanted, bounds, chosenAs ?? null);
    if (choice === null) return null;
    if ('broken' in choice)
      throw new ProblemError(
        'PERSONA_NOT_FOUND',
        `The persona ${wanted} cannot be used until its file is fixed: ${problemSentence(choice.broken)}`,
        { errors: [choice.broken] },
      );
    const text = candidates.find(({ contentHash }) => contentHash === choice.found.persona.contentHash)?.text;
    if (text) await this.texts.keep(text);
    return choice.found;
  }

  /** No more than has to be asked for: a project's files are looked at only for a key that no other persona has. */
  private async candidatesFor(
    project: PersonaScope,
    key: string,
    chosenAs: PersonaOrigin | null,
  ): Promise<CandidateWithText[]> {
    const ofTeam = await this.team.findByKey(project.teamId, key);
    if (ofTeam) return [teamCandidate(ofTeam)];
    const builtIn = this.builtIn.candidates().filter((one) => one.key === key);
    if (builtIn.length > 0 || (chosenAs !== null && chosenAs !== 'project')) return builtIn;
    return (await this.projects.candidates(project)).filter((one) => one.key === key);
  }

  private async ofProject(project: PersonaScope): Promise<{ candidates: CandidateWithText[]; notice: string | null }> {
    try {
      return { candidates: await this.projects.candidates(project), notice: null };
    } catch (error) {
      if (error instanceof ProblemError)
        return { candidates: [], notice: `The project’s own personas could not be read. ${error.detail}` };
      throw error;
    }
  }
}

function teamCandidate({ key, text, contentHash, id, version }: StoredPersona): CandidateWithText {
  return candidateOf(text, personaFileOf(key), { origin: 'team', contentHash, id, version });
}
