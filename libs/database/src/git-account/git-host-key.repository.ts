import { newId } from '@chirality/domain';
import type { Database } from '../connection/database';

/** `lines`: of a known_hosts file. */
export type PinnedHostKey = { id: string; teamId: string; host: string; lines: string; pinnedAt: Date };

/** By which keys ssh hosts proved themselves to a team. */
export class GitHostKeyRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  async find(teamId: string, host: string): Promise<PinnedHostKey | null> {
    return this.database.prisma.gitHostKey.findUnique({ where: { teamId_host: { teamId, host } } });
  }

  /** Of these teams, by host. */
  async list(teamIds: readonly string[]): Promise<PinnedHostKey[]> {
    return this.database.prisma.gitHostKey.findMany({
      where: { teamId: { in: [...teamIds] } },
      orderBy: [{ host: 'asc' }, { id: 'asc' }],
    });
  }

  /**
   * Keeps the first keys that a host showed, and answers those that count, which may be the ones of another first use.
   */
  async pin(teamId: string, host: string, lines: string): Promise<PinnedHostKey & { isNew: boolean }> {
    const id = newId('gitHostKey');
    await this.database.pool.query(
      `INSERT INTO git_host_key (id, team_id, host, lines) VALUES ($1, $2, $3, $4)
       ON CONFLICT (team_id, host) DO NOTHING`,
      [id, teamId, host, lines],
    );
    const pinned = await this.find(teamId, host);
    if (!pinned) throw new Error(`the keys of ${host} were removed while they were pinned`);
    return { ...pinned, isNew: pinned.id === id };
  }

  /** The next use pins what the host shows then. False when there is none. */
  async remove(id: string): Promise<boolean> {
    const { count } = await this.database.prisma.gitHostKey.deleteMany({ where: { id } });
    return count === 1;
  }
}
