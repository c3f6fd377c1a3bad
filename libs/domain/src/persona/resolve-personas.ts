import type {
  Options,
  Persona,
  PersonaApproval,
  PersonaOrigin,
  PersonaProblem,
  ResolvedPersona,
} from '@chirality/contracts';
import type { PersonaDefinition } from './persona-file';
import { narrowPersona, type PersonaBounds } from './untrusted-persona';

/** A persona as its source has it: either what its file says, or what is wrong with it. */
export type PersonaCandidate = Pick<ResolvedPersona, 'key' | 'origin' | 'id' | 'version' | 'file' | 'commit'> & {
  contentHash: string | null;
  approval: PersonaApproval | null;
} & ({ definition: PersonaDefinition; problem: null } | { definition: null; problem: PersonaProblem });

export type UsablePersona = { persona: ResolvedPersona; options: Options };
type PersonaChoice = { found: UsablePersona } | { broken: PersonaProblem } | null;

/** Who has the say where several have one key. A project's files come last: they never take the place of another persona. */
const PRECEDENCE: readonly PersonaOrigin[] = ['team', 'built-in', 'project'];

/** All candidates for a screen, those that a key means first; each says whether it may be chosen and why not. */
export function listPersonas(candidates: readonly PersonaCandidate[], bounds: PersonaBounds): Persona[] {
  const meant = new Map<string, PersonaOrigin>();
  return inOrder(candidates).map((candidate) => {
    const shadowedBy = meant.get(candidate.key) ?? null;
    if (shadowedBy === null) meant.set(candidate.key, candidate.origin);
    const { definition, problem } = candidate;
    return {
      ...factsOf(candidate),
      contentHash: candidate.contentHash,
      name: definition?.name ?? candidate.key,
      description: definition?.description ?? '',
      options: definition?.options ?? {},
      narrowed: definition ? countsOf(candidate, definition, bounds).narrowed : [],
      problem,
      shadowedBy,
      choosable: shadowedBy === null && problem === null,
    };
  });
}

/**
 * What a key means among the candidates: the persona with the options that count of it, or what is wrong with its file.
 * `chosenAs`: where the persona came from when a session chose it; a project's file never takes over for one that is gone.
 * Null when there is none.
 */
export function resolvePersona(
  candidates: readonly PersonaCandidate[],
  key: string,
  bounds: PersonaBounds,
  chosenAs: PersonaOrigin | null = null,
): PersonaChoice {
  const candidate = inOrder(candidates).find((one) => one.key === key);
  if (!candidate || (candidate.origin === 'project' && chosenAs !== null && chosenAs !== 'project')) return null;
  const { definition, problem, contentHash } = candidate;
  if (problem !== null) return { broken: problem };
  const { options, narrowed } = countsOf(candidate, definition, bounds);
  return {
    found: {
      persona: { ...factsOf(candidate), name: definition.name, contentHash: contentHash ?? '', narrowed },
      options,
    },
  };
}

function factsOf({
  key,
  origin,
  id,
  version,
  file,
  commit,
  approval,
}: PersonaCandidate): Pick<ResolvedPersona, 'key' | 'origin' | 'id' | 'version' | 'file' | 'commit' | 'approval'> {
  return { key, origin, id, version, file, commit, approval };
}

function countsOf(
  candidate: PersonaCandidate,
  definition: PersonaDefinition,
  bounds: PersonaBounds,
): ReturnType<typeof narrowPersona> {
  const trusted = candidate.origin !== 'project' || candidate.approval !== null;
  return trusted ? { options: definition.options, narrowed: [] } : narrowPersona(definition, bounds);
}

/** Of one origin by key, then by file, so that the same one is meant each time. */
function inOrder(candidates: readonly PersonaCandidate[]): PersonaCandidate[] {
  const text = ({ key, file }: PersonaCandidate) => `${key} ${file ?? ''}`;
  return [...candidates].sort(
    (a, b) => PRECEDENCE.indexOf(a.origin) - PRECEDENCE.indexOf(b.origin) || (text(a) < text(b) ? -1 : 1),
  );
}
