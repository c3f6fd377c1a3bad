import type { ProjectVariable, VariableUse } from '@chirality/contracts';
import { columnsOf } from '../connection/columns-of';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { ProjectVariable as ProjectVariableRecord } from '../generated/client';
import type { ProjectVariableRow } from '../generated/rows';

/** What the outside sees of a variable: all but its value. */
const PUBLIC_FIELDS = { name: true, givenTo: true, updatedById: true, updatedByName: true, updatedAt: true } as const;
const PUBLIC_COLUMNS = columnsOf('ProjectVariable', { select: PUBLIC_FIELDS });
type PublicRecord = Pick<ProjectVariableRecord, keyof typeof PUBLIC_FIELDS>;

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
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** Without values, by name. */
  async list(projectId: string): Promise<ProjectVariable[]> {
    const rows = await this.database.prisma.projectVariable.findMany({
      where: { projectId },
      orderBy: { name: 'asc' },
      select: PUBLIC_FIELDS,
    });
    return rows.map(variableFromRow);
  }

  /** For workers. */
  async listSealed(projectId: string): Promise<SealedVariable[]> {
    const { rows } = await this.database.pool.query<Pick<ProjectVariableRow, 'name' | 'cipher' | 'given_to'>>(
      'SELECT name, cipher, given_to FROM project_variable WHERE project_id = $1 ORDER BY name',
      [projectId],
    );
    return rows.map(({ name, cipher, given_to }) => ({ name, cipher, givenTo: given_to }));
  }

  /**
   * Makes or changes a variable; what is null stays as it is. Null when there is none and no value was given. `most`:
   * how many a project may have.
   */
  async put(
    projectId: string,
    { name, cipher, givenTo, by }: VariableChange,
    most: { variables: number; bytes: number },
  ): Promise<ProjectVariable | 'too_many' | null> {
    if (cipher === null) {
      const { rows } = await this.database.pool.query<PublicRecord>(
        `UPDATE project_variable SET given_to = coalesce($3, given_to), updated_by_id = $4, updated_by_name = $5,
          updated_at = now()
         WHERE project_id = $1 AND name = $2 RETURNING ${PUBLIC_COLUMNS}`,
        [projectId, name, givenTo, by.userId, by.name],
      );
      return rows[0] ? variableFromRow(rows[0]) : null;
    }
    const { rows } = await this.database.pool.query<PublicRecord>(
      `INSERT INTO project_variable AS v (project_id, name, cipher, given_to, updated_by_id, updated_by_name)
       SELECT $1, $2, $3::bytea, coalesce($4, 'nobody'), $5, $6
       WHERE (SELECT count(*) < $7 AND coalesce(sum(octet_length(cipher)), 0) + octet_length($3::bytea) <= $8
         FROM project_variable WHERE project_id = $1 AND name <> $2)
       ON CONFLICT (project_id, name) DO UPDATE
         SET cipher = excluded.cipher, given_to = coalesce($4, v.given_to), updated_by_id = $5, updated_by_name = $6,
           updated_at = now()
       RETURNING ${PUBLIC_COLUMNS}`,
      [projectId, name, cipher, givenTo, by.userId, by.name, most.variables, most.bytes],
    );
    return rows[0] ? variableFromRow(rows[0]) : 'too_many';
  }

  /**
   * Seals again what `renew` wants sealed again: it answers the new box, or null for one that stays as it is. A value
   * that is changed meanwhile stays the new one. Answers how many were.
   */
  async reseal(renew: (projectId: string, name: string, cipher: Buffer) => Buffer | null): Promise<number> {
    const rows = await this.database.prisma.projectVariable.findMany({
      select: { projectId: true, name: true, cipher: true },
    });
    let count = 0;
    for (const { projectId, name, cipher: stored } of rows) {
      const cipher = Buffer.from(stored);
      const renewed = renew(projectId, name, cipher);
      if (renewed === null) continue;
      const { rowCount } = await this.database.pool.query(
        'UPDATE project_variable SET cipher = $4 WHERE project_id = $1 AND name = $2 AND cipher = $3',
        [projectId, name, cipher, renewed],
      );
      count += rowCount ?? 0;
    }
    return count;
  }

  /** False when there is none of that name. */
  async remove(projectId: string, name: string): Promise<boolean> {
    const { count } = await this.database.prisma.projectVariable.deleteMany({
      where: { projectId, name: storableText(name) },
    });
    return count === 1;
  }
}

function variableFromRow(row: PublicRecord): ProjectVariable {
  return {
    name: row.name,
    givenTo: row.givenTo,
    updatedBy: { userId: row.updatedById, name: row.updatedByName },
    updatedAt: row.updatedAt.toISOString(),
  };
}
