import type { Project, Session, Team } from '@chirality/contracts';

export type StartPlace = {
  projects: readonly Project[];
  /** The latest first. */
  sessions: readonly Pick<Session, 'id' | 'projectId' | 'title' | 'status'>[];
  teams: readonly Pick<Team, 'id' | 'role'>[];
  /** What is on screen. */
  projectId: string | undefined;
  sessionId: string | undefined;
};

/** The project in which a new session starts: the one on screen, else the one used last; null where none can start. */
export function newSessionProject({ projects, sessions, teams, projectId, sessionId }: StartPlace): Project | null {
  const mayWrite = (teamId: string) => teams.some(({ id, role }) => id === teamId && role !== 'viewer');
  const startable = projects.filter(({ teamId, sourceState }) => sourceState.status === 'ready' && mayWrite(teamId));
  const shown = projectId ?? sessions.find(({ id }) => id === sessionId)?.projectId;
  if (shown !== undefined) return startable.find(({ id }) => id === shown) ?? null;
  const used = sessions.map((session) => startable.find(({ id }) => id === session.projectId));
  return used.find((project) => project !== undefined) ?? startable[0] ?? null;
}
