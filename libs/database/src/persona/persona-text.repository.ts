import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, Tx } from '../connection/database';
import type { PersonaTextRow } from '../generated/rows';

/** By what a persona's file is named here, in approvals and on turns: SHA-256 of its UTF-8, hexadecimal. */
export function personaTextHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Keeps the texts for ever; safe to repeat. Throws for a text with NUL, which Postgres cannot store. */
export async function keepPersonaTexts(tx: Tx, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  // In one order, so that two who keep the same texts do not wait for each other in a circle.
  const byHash = new Map(texts.map((text) => [personaTextHash(text), text] as const));
  const sorted = [...byHash].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.query(
    'INSERT INTO persona_text (hash, text) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (hash) DO NOTHING',
    [sorted.map(([hash]) => hash), sorted.map(([, text]) => text)],
  );
}

const REMEMBERED = 500;

/** Texts of personas by their hash. What was kept once is there for good, so this process asks for each but once. */
export class PersonaTextRepository {
  private readonly kept = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Resolves when the text is durable. */
  async keep(text: string): Promise<void> {
    const hash = personaTextHash(text);
    if (this.kept.has(hash)) return;
    await keepPersonaTexts(this.database.pool, [text]);
    this.kept.set(hash, true);
  }

  /** Null for a hash of which no text was kept. */
  async find(hash: string): Promise<string | null> {
    const { rows } = await this.database.pool.query<Pick<PersonaTextRow, 'text'>>({
      name: 'find_persona_text',
      text: 'SELECT text FROM persona_text WHERE hash = $1',
      values: [hash],
    });
    return rows[0]?.text ?? null;
  }
}
