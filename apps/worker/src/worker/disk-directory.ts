import type { ProjectRefreshRepository, ProjectRepository, SessionRepository } from '@chirality/database';
import type { SessionDirectory } from '../state/session/session-acts';
import type { ProjectBundles, ProjectRecord } from '../workspace/project/project.types';

type StoredProject = NonNullable<Awaited<ReturnType<ProjectRepository['find']>>>;

/** The rows that the disk asks for, in its own words. */
export function sessionDirectory(sessions: SessionRepository, projects: ProjectRepository): SessionDirectory {
  return {
    find: async (sessionId) => {
      const session = await sessions.find(sessionId);
      const project = session && (await projects.find(session.projectId));
      if (!session || !project) return null;
      const { id, projectId, sharedWorkspaceId, claudeSessionId } = session;
      return { session: { id, projectId, sharedWorkspaceId, claudeSessionId }, project: projectRecord(project) };
    },
    findProject: async (projectId) => {
      const project = await projects.find(projectId);
      return project && projectRecord(project);
    },
  };
}

/** The first bundle that is offered for a project is the one that all workers build from. */
export function agreedBundles(projects: ProjectRepository, refreshes: ProjectRefreshRepository): ProjectBundles {
  return {
    recordBase: (projectId, bundleKey, base) => refreshes.recordBase(projectId, bundleKey, base),
    adoptBundle: async (projectId, bundleKey) => {
      if (await projects.moveBundle(projectId, null, bundleKey)) return bundleKey;
      const agreed = (await projects.find(projectId))?.bundleKey;
      if (!agreed) throw new Error(`project ${projectId} is gone`);
      return agreed;
    },
  };
}

function projectRecord({ id, name, source, bundleKey, baseCommit }: StoredProject): ProjectRecord {
  return { id, name, source, bundleKey, baseCommit };
}
