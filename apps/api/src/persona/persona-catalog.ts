import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Options, Persona } from '@chirality/contracts';
import { normalizePersonaKey, parsePersonaFile, personaKeyOf, type PersonaDefinition } from '@chirality/domain';
import { problems } from '../problem/problems';

type CachedFile = { stamp: string; persona: PersonaDefinition };

/** The personas that Chirality ships, read again when their files change. */
export class PersonaCatalog {
  private readonly cache = new Map<string, CachedFile>();

  constructor(private readonly directory: string) {}

  list(): Persona[] {
    return this.read().map(({ key, name, description }) => ({ key, name, description, origin: 'built-in' }));
  }

  /** What the persona says about options; null for no persona and for one that is not known here. */
  optionsOf(key: string | null): Options | null {
    if (key === null) return null;
    return this.read().find((persona) => persona.key === normalizePersonaKey(key))?.options ?? null;
  }

  /** The key as it is stored; throws PERSONA_NOT_FOUND. */
  known(key: string): string {
    const persona = this.read().find((one) => one.key === normalizePersonaKey(key));
    if (!persona) throw problems.personaNotFound();
    return persona.key;
  }

  private read(): PersonaDefinition[] {
    const files = readdirSync(this.directory).filter((file) => personaKeyOf(file) !== null).sort();
    return files.map((file) => this.readFile(join(this.directory, file)));
  }

  private readFile(path: string): PersonaDefinition {
    const { mtimeMs, size } = statSync(path);
    const stamp = `${mtimeMs} ${size}`;
    const cached = this.cache.get(path);
    if (cached?.stamp === stamp) return cached.persona;
    const persona = parsePersonaFile(readFileSync(path, 'utf8'), path);
    this.cache.set(path, { stamp, persona });
    return persona;
  }
}
