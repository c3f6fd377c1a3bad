import type { Project } from '@chirality/contracts';
import { newSessionProject } from './new-session-project';

const project = (id: string, changes: object = {}) =>
  ({ id, teamId: 'team_1', sourceState: { status: 'ready' }, ...changes }) as Project;
const session = (id: string, projectId: string) => ({ id, projectId, title: id, status: 'idle' as const });
const PLACE = {
  projects: [project('project_a'), project('project_b'), project('project_seen', { teamId: 'team_2' })],
  sessions: [session('session_1', 'project_seen'), session('session_2', 'project_b')],
  teams: [
    { id: 'team_1', role: 'member' as const },
    { id: 'team_2', role: 'viewer' as const },
  ],
  projectId: undefined,
  sessionId: undefined,
};

describe('the project of a new session from the palette', () => {
  it.each([
    ['the one on screen', { projectId: 'project_a' }, 'project_a'],
    ['that of the session on screen', { sessionId: 'session_2' }, 'project_b'],
    ['none where the one on screen may only be read', { sessionId: 'session_1' }, null],
    ['the one used last in which one may write', {}, 'project_b'],
    ['the first without any session', { sessions: [] }, 'project_a'],
    ['none while its files are not there', { projects: [project('p', { sourceState: { status: 'failed' } })] }, null],
  ])('is %s', (_, changes, expected) => {
    expect(newSessionProject({ ...PLACE, ...changes })?.id ?? null).toBe(expected);
  });
});
