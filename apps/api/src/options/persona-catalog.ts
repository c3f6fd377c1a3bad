import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { personaTextHash } from '@chirality/database';
import { personaKeyOf } from '@chirality/domain';
import { candidateOf, type CandidateWithText } from './candidate';

type CachedFile = { stamp: string; candidate: CandidateWithText };

/** The personas that Chirality ships, read again when their files change. */
export class PersonaCatalog {
  private readonly cache = new Map<string, CachedFile>();

  constructor(private readonly directory: string) {}

  candidates(): CandidateWithText[] {
    const files = readdirSync(this.directory)
      .filter((file) => personaKeyOf(file) !== null)
      .sort();
    return files.map((file) => this.readFile(file));
  }

  private readFile(file: string): CandidateWithText {
    const path = join(this.directory, file);
    const { mtimeMs, size } = statSync(path);
    const stamp = `${mtimeMs} ${size}`;
    const cached = this.cache.get(path);
    if (cached?.stamp === stamp) return cached.candidate;
    const text = readFileSync(path, 'utf8');
    const candidate = candidateOf(text, file, { origin: 'built-in', contentHash: personaTextHash(text) });
    this.cache.set(path, { stamp, candidate });
    return candidate;
  }
}
