import type { SetupScript } from '@chirality/contracts';
import type { Database } from '../connection/database';

/** What a project runs in each new copy of its files. */
export class SetupScriptRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async find(projectId: string): Promise<SetupScript> {
    const { rows } = await this.database.pool.query<{ setup_script: string | null }>(
      'SELECT setup_script FROM project WHERE id = $1',
      [projectId],
    );
    return { script: rows[0]?.setup_script ?? null };
  }

  async replace(projectId: string, { script }: SetupScript): Promise<void> {
    await this.database.pool.query('UPDATE project SET setup_script = $2, updated_at = now() WHERE id = $1', [
      projectId,
      script,
    ]);
  }
}
