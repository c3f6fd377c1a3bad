import type { ProjectVariable, VariableUse } from '@chirality/contracts';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';

interface VariableRow {
  name: string;
  cipher: Buffer;
  given_to: VariableUse;
  updated_by_id: string;
  updated_by_name: string;
  updated_at: Date;
}

/** A value as it is kept: only who has the installation's key can open it. */
type SealedVariable = { name: string; cipher: Buffer; givenTo: VariableUse };

type VariableChange = {
  name: string;
  cipher: Buffer | null;
  givenTo: VariableUse | null;
  by: { userId: string; name: string };
};

/** Values that a project has for tools. */
export class ProjectVariableRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Without values, by name. */
  async list(projectId: string): Promise<ProjectVariable[]> {
    const { rows } = await this.database.pool.query<VariableRow>(
      'SELECT name, given_to, updated_by_id, updated_by_name, updated_at FROM project_variable WHERE project_id = $1 ORDER BY name',
      [projectId],
    );
    return rows.map(variableFromRow);
  }

  /** For workers. */
  async listSealed(projectId: string): Promise<SealedVariable[]> {
    const { rows } = await this.database.pool.query<VariableRow>(
      'SELECT name, cipher, given_to FROM project_variable WHERE project_id = $1 ORDER BY name',
      [projectId],
    );
    return rows.map(({ name, cipher, given_to }) => ({ name, cipher, givenTo: given_to }));
  }

  /** Makes or changes a variable; what is null stays as it is. Null when there is none and no value was given. `most`: how many a project may have. */
  async put(
    projectId: string,
    { name, cipher, givenTo, by }: VariableChange,
    most: { variables: number; bytes: number },
  ): Promise<ProjectVariable | 'too_many' | null> {
    if (cipher === null) {
      const { rows } = await this.database.pool.query<VariableRow>(
        `UPDATE project_variable SET given_to = coalesce($3, given_to), updated_by_id = $4, updated_by_name = $5, updated_at = now()
         WHERE project_id = $1 AND name = $2 RETURNING *`,
        [projectId, name, givenTo, by.userId, by.name],
      );
      return rows[0] ? variableFromRow(rows[0]) : null;
    }
    const { rows } = await this.database.pool.query<VariableRow>(
      `INSERT INTO project_variable AS v (project_id, name, cipher, given_to, updated_by_id, updated_by_name)
       SELECT $1, $2, $3::bytea, coalesce($4, 'nobody'), $5, $6
       WHERE (SELECT count(*) < $7 AND coalesce(sum(octet_length(cipher)), 0) + octet_length($3::bytea) <= $8 FROM project_variable WHERE project_id = $1 AND name <> $2)
       ON CONFLICT (project_id, name) DO UPDATE
         SET cipher = excluded.cipher, given_to = coalesce($4, v.given_to), updated_by_id = $5, updated_by_name = $6, updated_at = now()
       RETURNING *`,
      [projectId, name, cipher, givenTo, by.userId, by.name, most.variables, most.bytes],
    );
    return rows[0] ? variableFromRow(rows[0]) : 'too_many';
  }

  /**
   * Seals again what `renew` wants sealed again: it answers the new box, or null for one that stays as it is. A value that
   * is changed meanwhile stays the new one. Answers how many were.
   */
  async reseal(renew: (projectId: string, name: string, cipher: Buffer) => Buffer | null): Promise<number> {
    const { rows } = await this.database.pool.query<{ project_id: string; name: string; cipher: Buffer }>(
      'SELECT project_id, name, cipher FROM project_variable',
    );
    let count = 0;
    for (const { project_id, name, cipher } of rows) {
      const renewed = renew(project_id, name, cipher);
      if (renewed === null) continue;
      const { rowCount } = await this.database.pool.query(
        'UPDATE project_variable SET cipher = $4 WHERE project_id = $1 AND name = $2 AND cipher = $3',
        [project_id, name, cipher, renewed],
      );
      count += rowCount ?? 0;
    }
    return count;
  }

  /** False when there is none of that name. */
  async remove(projectId: string, name: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'DELETE FROM project_variable WHERE project_id = $1 AND name = $2',
      [projectId, storableText(name)],
    );
    return rowCount === 1;
  }
}

function variableFromRow(row: VariableRow): ProjectVariable {
  return {
    name: row.name,
    givenTo: row.given_to,
    updatedBy: { userId: row.updated_by_id, name: row.updated_by_name },
    updatedAt: row.updated_at.toISOString(),
  };
}
