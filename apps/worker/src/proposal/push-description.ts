import type { PushProposal } from '@chirality/contracts';
import { pushTargetOf, type ProposedPush } from '@chirality/domain';
import type { ProjectRepository, SessionPushRepository, SessionRepository } from '@chirality/database';
import type { SessionActs } from '../state/session/session-acts';
import { diffFiles } from '../workspace/history/diff-files';
import { listCommits } from '../workspace/history/list-commits';
import type { ScriptRunner } from '../workspace/script/script-runner';

const TIMEOUT_MS = 30_000;
const SHOWN_COMMITS = 20;
const SHOWN_FILES = 50;
const MAX_TITLE = 250;

interface Parts {
  acts: Pick<SessionActs, 'forReading' | 'projectOf'>;
  scripts: ScriptRunner;
  pushes: Pick<SessionPushRepository, 'findLastDone'>;
  sessions: Pick<SessionRepository, 'find'>;
  projects: Pick<ProjectRepository, 'find'>;
}

/**
 * What people see of a push that the model proposes: what would be sent, and where to, as things are at this moment.
 */
export class PushDescription {
  constructor(private readonly parts: Parts) {}

  /** `refused`: why there is nothing to put to people, for the model. */
  async describe(sessionId: string, wanted: ProposedPush): Promise<PushProposal | { refused: string }> {
    const { acts, projects, pushes, scripts, sessions } = this.parts;
    const session = await sessions.find(sessionId);
    const project = session && (await projects.find(session.projectId));
    if (!session || project?.source.kind !== 'git') return { refused: 'This project has no remote to push to.' };
    const context = { scripts, workspace: await acts.forReading(sessionId), timeoutMs: TIMEOUT_MS };
    const [listed, compared, { branch: base }, last] = await Promise.all([
      listCommits(context, 0),
      diffFiles(context, { scope: 'uncommitted' }),
      acts.projectOf(sessionId),
      pushes.findLastDone(sessionId),
    ]);
    if (listed.act !== 'list-commits' || compared.act !== 'diff') throw new Error('an act answered another one');
    const { data, total } = listed.commits;
    const [newest] = data;
    if (!newest)
      return {
        refused: 'Nothing was pushed: the session has no commit that the project lacks. Commit the changes first.',
      };
    const { branch } = pushTargetOf({
      chosen: wanted.branch,
      before: last?.pushed ?? null,
      isForced: false,
      pattern: project.branchPattern,
      session,
    });
    const commits = data.slice(0, SHOWN_COMMITS).map(({ commit, subject }) => ({ commit, subject }));
    const { pullRequest } = wanted;
    return {
      remote: project.source.url,
      branch,
      commit: newest.commit,
      commits,
      commitCount: total,
      uncommitted: compared.diff.files.slice(0, SHOWN_FILES).map(({ path }) => path),
      uncommittedCount: compared.diff.totals.files,
      pullRequest: {
        title: (pullRequest?.title || (total === 1 ? newest.subject : session.title)).slice(0, MAX_TITLE),
        body: pullRequest?.body ?? commits.map(({ subject }) => `- ${subject}`).join('\n'),
        base: pullRequest?.base || base,
        draft: pullRequest?.draft ?? false,
      },
      opensPullRequest: pullRequest !== null,
    };
  }
}
