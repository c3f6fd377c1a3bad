import type { PersonaApproval, PersonaOrigin } from '@chirality/contracts';
import { parsePersonaFile, PersonaFileError, personaKeyOf, type PersonaCandidate } from '@chirality/domain';

/** `text` is null only where the file could not be read as text. */
export type CandidateWithText = PersonaCandidate & { text: string | null };

type Facts = {
  origin: PersonaOrigin;
  contentHash: string;
  id?: string;
  version?: number;
  commit?: string;
  approval?: PersonaApproval | null;
};

/** A persona by its file's text: what it says, or what is wrong with it. `file` must be named like one of a persona. */
export function candidateOf(
  text: string,
  file: string,
  { origin, contentHash, id, version, commit, approval }: Facts,
): CandidateWithText {
  const facts = {
    key: personaKeyOf(file) ?? file,
    origin,
    id: id ?? null,
    version: version ?? null,
    file,
    commit: commit ?? null,
    contentHash,
    approval: approval ?? null,
    text,
  };
  try {
    return { ...facts, definition: parsePersonaFile(text, file), problem: null };
  } catch (error) {
    if (error instanceof PersonaFileError) return { ...facts, definition: null, problem: error.problem };
    throw error;
  }
}

/** A project's file that has no text, with the reason. */
export function unreadableCandidate(file: string, refusal: string, commit: string): CandidateWithText {
  const problem = { file, line: 1, field: null, detail: refusal };
  return {
    key: personaKeyOf(file) ?? file,
    origin: 'project',
    id: null,
    version: null,
    file,
    commit,
    contentHash: null,
    approval: null,
    text: null,
    definition: null,
    problem,
  };
}

/** What a person reads of it: file, line and field. */
export function problemSentence({
  file,
  line,
  field,
  detail,
}: {
  file: string;
  line: number;
  field: string | null;
  detail: string;
}): string {
  return `${file}:${line}: ${field === null ? '' : `${field}: `}${detail}`;
}
