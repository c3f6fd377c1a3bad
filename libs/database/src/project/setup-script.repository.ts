import type { SetupScript } from '@chirality/contracts';
import type { Database } from '../connection/database';

/** What a project runs in each new copy of its files. */
export class SetupScriptRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  async find(projectId: string): Promise<SetupScript> {
    const row = await this.database.prisma.project.findUnique({
      where: { id: projectId },
      select: { setupScript: true },
    });
    return { script: row?.setupScript ?? null };
  }

  async replace(projectId: string, { script }: SetupScript): Promise<void> {
    await this.database.pool.query('UPDATE project SET setup_script = $2, updated_at = now() WHERE id = $1', [
      projectId,
      script,
    ]);
  }
}
