import type { OnModuleDestroy } from '@nestjs/common';
import type { AuditRepository, PurgeRepository, Purged } from '@chirality/database';
import { every, type BlobStore } from '@chirality/platform';

const ROUND_MS = 10 * 60_000;
const AT_ONCE = 50;

type Parts = {
  purges: Pick<
    PurgeRepository,
    'listExpired' | 'listToEmpty' | 'listTurns' | 'listSharedWorkspaces' | 'purge' | 'completeEmptying'
  >;
  blobs: Pick<BlobStore, 'delete'>;
  audit: Pick<AuditRepository, 'record'>;
  onError: (error: unknown) => void;
};

/**
 * Ends what was deleted long enough ago, and empties the blob store of what was ended. Any number of servers may do so
 * at once, and each step may be the last one of a process: the next round finds what is left.
 */
export class DeletionCleaner implements OnModuleDestroy {
  private readonly stop: () => void;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {
    this.stop = every(ROUND_MS, () => this.clean(), { onError: parts.onError, background: true });
  }

  /**
   * How many were purged and how many emptied. One that fails is tried again in the next round, and holds up no
   * other.
   */
  async clean(): Promise<{ purged: number; emptied: number }> {
    let purged = 0;
    for (const expired of await this.parts.purges.listExpired(AT_ONCE))
      if (await this.tried(() => this.purgeExpired(expired))) purged += 1;
    let emptied = 0;
    for (const gone of await this.parts.purges.listToEmpty(AT_ONCE))
      if (await this.tried(() => this.empty(gone))) emptied += 1;
    return { purged, emptied };
  }

  /** In the background; never rejects. */
  emptySoon(): void {
    this.running = this.running.then(() => this.clean()).catch(this.parts.onError);
  }

  async onModuleDestroy(): Promise<void> {
    this.stop();
    await this.running;
  }

  private async purgeExpired(expired: Purged): Promise<boolean> {
    if (!(await this.parts.purges.purge(expired))) return false;
    const { kind, id, teamId } = expired;
    await this.parts.audit.record({ teamId, userId: null, userName: null, action: `${kind}:purge`, object: id });
    return true;
  }

  private async empty({ kind, id }: Purged): Promise<boolean> {
    const { purges, blobs } = this.parts;
    const prefixes = kind === 'project' ? await this.prefixesOfProject(id) : await this.prefixesOf(id);
    for (const prefix of prefixes) await blobs.delete(prefix);
    await purges.completeEmptying({ kind, id });
    return true;
  }

  private async prefixesOfProject(projectId: string): Promise<string[]> {
    const shared = await this.parts.purges.listSharedWorkspaces(projectId);
    return [`projects/${projectId}`, ...shared.map((id) => `workspaces/${id}`)];
  }

  private async prefixesOf(sessionId: string): Promise<string[]> {
    const turns = await this.parts.purges.listTurns(sessionId);
    return [`sessions/${sessionId}`, `attachments/${sessionId}`, ...turns.map((turnId) => `turns/${turnId}`)];
  }

  private async tried(act: () => Promise<boolean>): Promise<boolean> {
    return act().catch((error: unknown) => {
      this.parts.onError(error);
      return false;
    });
  }
}
