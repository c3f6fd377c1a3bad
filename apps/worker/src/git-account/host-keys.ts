import type { AuditRepository, GitHostKeyRepository } from '@chirality/database';

/** By which keys ssh hosts are known to a team: lines of a known_hosts file. */
export interface HostKeys {
  find(teamId: string, host: string): Promise<string | null>;
  /** Keeps what a host showed at its first use, and answers what counts, which may come from another first use. */
  pin(act: { teamId: string; userId: string; projectId: string | null }, host: string, lines: string): Promise<string>;
}

/** In the database, with an entry of the audit for each that is new. */
export class PinnedHostKeys implements HostKeys {
  constructor(
    private readonly keys: Pick<GitHostKeyRepository, 'find' | 'pin'>,
    private readonly audit: Pick<AuditRepository, 'recordAs'>,
  ) {}

  async find(teamId: string, host: string): Promise<string | null> {
    return (await this.keys.find(teamId, host))?.lines ?? null;
  }

  async pin(
    { teamId, userId, projectId }: Parameters<HostKeys['pin']>[0],
    host: string,
    lines: string,
  ): Promise<string> {
    const pinned = await this.keys.pin(teamId, host, lines);
    if (pinned.isNew)
      await this.audit.recordAs(userId, {
        teamId,
        action: 'git-host-key:pin',
        object: pinned.id,
        detail: { host, ...(projectId === null ? {} : { projectId }) },
      });
    return pinned.lines;
  }
}
