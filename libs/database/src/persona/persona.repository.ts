import type { PersonaVersion } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { violatesUnique } from '../connection/database-error';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { PersonaRow, PersonaTextRow, PersonaVersionRow } from '../generated/rows';
import { keepPersonaTexts, personaTextHash } from './persona-text.repository';

/** A team's persona at its newest version; its text is a whole file, fields and all. */
export interface StoredPersona {
  id: string;
  teamId: string;
  key: string;
  version: number;
  contentHash: string;
  text: string;
  savedBy: { userId: string; name: string };
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
}

type Person = { userId: string; name: string };
type SaveOutcome =
  { outcome: 'saved'; persona: StoredPersona } | { outcome: 'changed'; version: number } | { outcome: 'deleted' };

type NewestRow = Pick<PersonaRow, 'id' | 'team_id' | 'key' | 'version' | 'created_at' | 'updated_at' | 'deleted_at'> &
  Pick<PersonaVersionRow, 'content_hash' | 'saved_by_id' | 'saved_by_name'> &
  Pick<PersonaTextRow, 'text'>;

const SELECT = `
SELECT p.id, p.team_id, p.key, p.version, v.content_hash, x.text, v.saved_by_id, v.saved_by_name, p.created_at,
  p.updated_at, p.deleted_at
FROM persona p JOIN persona_version v ON v.persona_id = p.id AND v.version = p.version JOIN persona_text x
  ON x.hash = v.content_hash`;

export class PersonaRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Null when the team has a persona of that key. */
  async create({
    teamId,
    key,
    text,
    savedBy,
  }: {
    teamId: string;
    key: string;
    text: string;
    savedBy: Person;
  }): Promise<StoredPersona | null> {
    const id = newId('persona');
    try {
      await inTransaction(this.database.pool, async (tx) => {
        await tx.query('INSERT INTO persona (id, team_id, key, live_key, created_by_id) VALUES ($1, $2, $3, $3, $4)', [
          id,
          teamId,
          key,
          savedBy.userId,
        ]);
        await insertVersion(tx, { personaId: id, version: 1, text, savedBy });
      });
    } catch (error) {
      if (violatesUnique(error, 'persona_team_id_live_key_key')) return null;
      throw error;
    }
    return this.one('p.id = $1', [id]);
  }

  /** Null for an unknown id and for a persona of a team that the person is not in. A deleted one is found. */
  findForUser(personaId: string, userId: string): Promise<StoredPersona | null> {
    return this.one(
      'p.id = $1 AND EXISTS (SELECT 1 FROM membership m WHERE m.team_id = p.team_id AND m.user_id = $2)',
      [personaId, userId],
    );
  }

  /** What that key means in the team; null when it has no such persona now. */
  findByKey(teamId: string, key: string): Promise<StoredPersona | null> {
    return this.one('p.team_id = $1 AND p.live_key = $2', [teamId, key]);
  }

  /** Those that are there now, by key. */
  async list(teamId: string): Promise<StoredPersona[]> {
    const { rows } = await this.database.pool.query<NewestRow>(
      `${SELECT} WHERE p.team_id = $1 AND p.live_key IS NOT NULL ORDER BY p.key`,
      [teamId],
    );
    return rows.map(personaFromRow);
  }

  /** Every version, newest first. */
  async listVersions(personaId: string): Promise<PersonaVersion[]> {
    const { rows } = await this.database.pool.query<PersonaVersionRow & Pick<PersonaTextRow, 'text'>>(
      'SELECT v.*, x.text FROM persona_version v JOIN persona_text x ON x.hash = v.content_hash WHERE v.persona_id = $1 ORDER BY v.version DESC',
      [personaId],
    );
    return rows.map((row) => ({
      version: row.version,
      contentHash: row.content_hash,
      text: row.text,
      savedBy: { userId: row.saved_by_id, name: row.saved_by_name },
      savedAt: row.saved_at.toISOString(),
    }));
  }

  /** A new version after `baseVersion`; `changed` when another one was saved since, and then nothing is written. */
  async save(
    personaId: string,
    { baseVersion, text, savedBy }: { baseVersion: number; text: string; savedBy: Person },
  ): Promise<SaveOutcome> {
    const saved = await inTransaction(this.database.pool, async (tx) => {
      const { rowCount } = await tx.query(
        'UPDATE persona SET version = version + 1, updated_at = now() WHERE id = $1 AND version = $2 AND live_key IS NOT NULL',
        [personaId, baseVersion],
      );
      if (rowCount === 1) await insertVersion(tx, { personaId, version: baseVersion + 1, text, savedBy });
      return rowCount === 1;
    });
    const persona = await this.one('p.id = $1', [personaId]);
    if (saved && persona) return { outcome: 'saved', persona };
    return persona && persona.deletedAt === null
      ? { outcome: 'changed', version: persona.version }
      : { outcome: 'deleted' };
  }

  /** Its versions stay. False when it was deleted before. */
  async delete(personaId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'UPDATE persona SET live_key = NULL, deleted_at = now() WHERE id = $1 AND live_key IS NOT NULL',
      [personaId],
    );
    return rowCount === 1;
  }

  private async one(where: string, values: unknown[]): Promise<StoredPersona | null> {
    const { rows } = await this.database.pool.query<NewestRow>(`${SELECT} WHERE ${where}`, values);
    return rows[0] ? personaFromRow(rows[0]) : null;
  }
}

async function insertVersion(
  tx: Tx,
  { personaId, version, text, savedBy }: { personaId: string; version: number; text: string; savedBy: Person },
): Promise<void> {
  await keepPersonaTexts(tx, [text]);
  await tx.query(
    'INSERT INTO persona_version (persona_id, version, content_hash, saved_by_id, saved_by_name) VALUES ($1, $2, $3, $4, $5)',
    [personaId, version, personaTextHash(text), savedBy.userId, storableText(savedBy.name)],
  );
}

function personaFromRow(row: NewestRow): StoredPersona {
  return {
    id: row.id,
    teamId: row.team_id,
    key: row.key,
    version: row.version,
    contentHash: row.content_hash,
    text: row.text,
    savedBy: { userId: row.saved_by_id, name: row.saved_by_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString() ?? null,
  };
}
