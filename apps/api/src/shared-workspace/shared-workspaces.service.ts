import { Injectable } from '@nestjs/common';
import type { ListedSession, QueueState, Session, SessionWorkspace } from '@chirality/contracts';
import { SharedWorkspaceRepository } from '@chirality/database';
import { teamIdsOf, type Principal } from '../access/principal';
import { projectPolicy } from '../access/project.policy';
import { SessionAccess } from '../access/session-access';
import { projectOf, sessionPolicy } from '../access/session.policy';
import { useSeenBy, workspaceInUse } from './workspace-in-use';

/** The files that several sessions share: with which others, and who works in them now. */
@Injectable()
export class SharedWorkspacesService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly workspaces: SharedWorkspaceRepository,
  ) {}

  async get(who: Principal, sessionId: string): Promise<SessionWorkspace> {
    const session = await this.sessions.forReading(who, sessionId);
    const found = session.workspace === 'shared' ? await this.workspaces.findOf(session.id) : null;
    if (!found) return { workspace: 'own', branch: null, sessions: [], inUse: null };
    return {
      workspace: 'shared',
      branch: found.branch || null,
      sessions: found.sessions
        .filter((sharing) => sessionPolicy.read(who, sharing))
        .map(({ id, title, ownerId, ownerName, visibility, status, updatedAt }) => ({
          id,
          title,
          owner: { userId: ownerId, name: ownerName },
          visibility,
          status,
          updatedAt: updatedAt.toISOString(),
        })),
      inUse: found.use && useSeenBy(who, found.use),
    };
  }

  /** The sessions with who works in the files that they share, as far as that person may see it. */
  async withUse(who: Principal, sessions: readonly Session[]): Promise<ListedSession[]> {
    const ids = new Set(sessions.flatMap(({ sharedWorkspaceId }) => sharedWorkspaceId ?? []));
    const used = await this.workspaces.findUsed([...ids]);
    const uses = new Map(used.map(({ id, use }) => [id, useSeenBy(who, use)]));
    return sessions.map((session) => ({ ...session, workspaceUse: uses.get(session.sharedWorkspaceId ?? '') ?? null }));
  }

  /** Those in use, of the projects that the person has. */
  async listUsed(who: Principal): Promise<QueueState['workspaces']> {
    const used = await this.workspaces.listUsed(teamIdsOf(who));
    return used
      .filter(({ use }) => projectPolicy.read(who, projectOf(use.session)))
      .map(({ id, branch, use }) => ({
        id,
        projectId: use.session.projectId,
        branch: branch || null,
        use: useSeenBy(who, use),
      }));
  }

  /**
   * Throws WORKSPACE_IN_USE, with what the person may know of it, while another session's turn is live in the files.
   * A worker refuses what this does not see in time.
   */
  async refuseWhileInUse(who: Principal, session: Session): Promise<void> {
    if (session.workspace !== 'shared') return;
    const use = await this.workspaces.findUseByOthers(session.id);
    if (use) throw workspaceInUse(who, use);
  }
}
