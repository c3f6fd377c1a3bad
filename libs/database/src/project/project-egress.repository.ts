import type { ProjectEgress } from '@chirality/contracts';
import type { Database } from '../connection/database';

interface EgressRow {
  egress_hosts: string[] | null;
  web_search: boolean;
}

/** What a project's sandboxes may reach. It holds from the next process on. */
export class ProjectEgressRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Null when there is no such project. */
  async find(projectId: string): Promise<ProjectEgress | null> {
    const { rows } = await this.database.pool.query<EgressRow>(
      'SELECT egress_hosts, web_search FROM project WHERE id = $1',
      [projectId],
    );
    return rows[0] ? egressFromRow(rows[0]) : null;
  }

  /** Answers what held before; null when there is no such project. */
  async replace(projectId: string, { hosts, webSearch }: ProjectEgress): Promise<ProjectEgress | null> {
    const { rows } = await this.database.pool.query<EgressRow>(
      `UPDATE project p SET egress_hosts = $2, web_search = $3, updated_at = now()
       FROM (SELECT id, egress_hosts, web_search FROM project WHERE id = $1 FOR UPDATE) before
       WHERE p.id = before.id RETURNING before.egress_hosts, before.web_search`,
      [projectId, hosts, webSearch],
    );
    return rows[0] ? egressFromRow(rows[0]) : null;
  }
}

function egressFromRow(row: EgressRow): ProjectEgress {
  return { hosts: row.egress_hosts ?? [], webSearch: row.web_search };
}
