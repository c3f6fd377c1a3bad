import type { ProjectEgress } from '@chirality/contracts';
import type { Database } from '../connection/database';
import type { ProjectRow } from '../generated/rows';

/** What a project's sandboxes may reach. It holds from the next process on. */
export class ProjectEgressRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** Null when there is no such project. */
  async find(projectId: string): Promise<ProjectEgress | null> {
    const row = await this.database.prisma.project.findUnique({
      where: { id: projectId },
      select: { egressHosts: true, webSearch: true },
    });
    return row && { hosts: row.egressHosts, webSearch: row.webSearch };
  }

  /** Answers what held before; null when there is no such project. */
  async replace(projectId: string, { hosts, webSearch }: ProjectEgress): Promise<ProjectEgress | null> {
    const { rows } = await this.database.pool.query<Pick<ProjectRow, 'egress_hosts' | 'web_search'>>(
      `UPDATE project p SET egress_hosts = $2, web_search = $3, updated_at = now()
       FROM (SELECT id, egress_hosts, web_search FROM project WHERE id = $1 FOR UPDATE) before
       WHERE p.id = before.id RETURNING before.egress_hosts, before.web_search`,
      [projectId, hosts, webSearch],
    );
    const [before] = rows;
    return before ? { hosts: before.egress_hosts, webSearch: before.web_search } : null;
  }
}
