import type { ResolvedPersona } from '@chirality/contracts';
import type { PersonaTextRepository } from '@chirality/database';
import { parsePersonaFile, personaFileOf, type PromptPersona } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { LRUCache } from 'lru-cache';

const REMEMBERED = 100;

/** The model's text of a resolved persona: the very text that it was resolved to, whatever its file says now. */
export class PersonaPrompts {
  private readonly known = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(private readonly texts: Pick<PersonaTextRepository, 'find'>) {}

  async of(persona: ResolvedPersona): Promise<PromptPersona> {
    const { key, contentHash, origin, approval } = persona;
    const text = this.known.get(contentHash) ?? (await this.read(persona));
    return {
      key,
      text: parsePersonaFile(text, personaFileOf(key)).prompt,
      untrusted: origin === 'project' && approval === null,
    };
  }

  private async read({ key, contentHash }: ResolvedPersona): Promise<string> {
    const text = await this.texts.find(contentHash);
    if (text === null)
      throw new ProblemError(
        'PERSONA_NOT_FOUND',
        `The text of the persona ${key} no longer exists. Choose another one for this session.`,
      );
    this.known.set(contentHash, text);
    return text;
  }
}
