import {
  isWritingAct,
  WORKSPACE_LONG_ACTS,
  workspaceLimitMs,
  type PullRequestJob,
  type WorkspaceJob as AnyJob,
  type WorkspaceReply,
} from '@chirality/contracts';
import { withoutHostPaths } from '@chirality/domain';
import { ProblemError, type BlobStore, type Logger } from '@chirality/platform';
import pLimit from 'p-limit';
import { SharedPlaces } from '../git-host/call/shared-places';
import type { ProjectPersonaReader } from '../persona/project-persona-reader';
import { maskPrompt } from '../prompt/mask-prompt';
import type { PromptAssembler } from '../prompt/prompt-assembler';
import type { SessionActs } from '../state/session/session-acts';
import type { OpenProject } from '../workspace/project/open-project';
import { SCRIPT_EXIT } from '../workspace/script/script-prelude';
import { ScriptFailure } from '../workspace/script/script-failure';
import type { ScriptRunner } from '../workspace/script/script-runner';
import { mergeBase, readBase, undoBase } from '../workspace/base/session-base';
import { commitFiles, commitNotFinished } from '../workspace/history/commit-files';
import { diffFiles } from '../workspace/history/diff-files';
import { filePatch } from '../workspace/history/file-patch';
import { findFiles, findProjectFiles } from '../workspace/browse/find-files';
import { listCommits } from '../workspace/history/list-commits';
import { listFiles } from '../workspace/browse/list-files';
import { listProjectFiles, readProjectFile } from '../workspace/browse/project-files';
import { readFile } from '../workspace/browse/read-file';
import { RepeatedCommits } from '../workspace/history/repeated-commits';
import type { RemotePush } from '../workspace/remote/remote-push';
import type { ListBranches } from './list-branches';
import { pushSession } from './push-session';
import { notFound } from '../workspace/act/workspace-path';
import type { Downloads } from '../workspace/download/downloads';
import { writeFile } from '../workspace/upload/write-file';

const CONCURRENT_ACTS = 4;
/**
 * Comparing reads many files: these wait for each other, so that a short act never waits behind them. A commit may take
 * minutes, and no comparison waits for that.
 */
const CONCURRENT_LONG_ACTS = 2;
const CONCURRENT_COMMITS = 2;
const CONCURRENT_PROJECT_ACTS = 4;
/** A search may take all of its time in a large tree: no listing waits for one. */
const CONCURRENT_SEARCHES = 2;
const CONCURRENT_BUILDS = 4;
/**
 * The share of an act's time in which it writes: what it wrote is stored in the rest, also where it was ended, before
 * the answer.
 */
const WRITING_SHARE = 0.9;
/** Other hosts take their time, and hold up nothing here: neither other acts nor another team. */
const CONCURRENT_REMOTE_ACTS = 8;
const REMOTE_ACTS_OF_TEAM = 4;
const LONG_ACTS: ReadonlySet<WorkspaceJob['act']> = new Set(WORKSPACE_LONG_ACTS);

/** All but what is asked of git hosts, which needs no workspace. */
type WorkspaceJob = Exclude<AnyJob, PullRequestJob>;
type ProjectJob = Extract<WorkspaceJob, { projectId: string }>;
type BaseJob = Extract<WorkspaceJob, { act: 'change-base' }>;
type Limit = <T>(work: () => Promise<T>) => Promise<T>;
type Refusal = Extract<WorkspaceReply, { act: 'refused' }>;

/**
 * Does what the api asks of a session's workspace or of a project's files. Bounded in time and in number; always
 * answers.
 */
export class WorkspaceJobs {
  private readonly shortActs = pLimit(CONCURRENT_ACTS);
  private readonly longActs = pLimit(CONCURRENT_LONG_ACTS);
  private readonly commitActs = pLimit(CONCURRENT_COMMITS);
  private readonly projectActs = pLimit(CONCURRENT_PROJECT_ACTS);
  private readonly searches = pLimit(CONCURRENT_SEARCHES);
  private readonly remoteActs = new SharedPlaces(CONCURRENT_REMOTE_ACTS, REMOTE_ACTS_OF_TEAM);
  private readonly builds = pLimit(CONCURRENT_BUILDS);
  private readonly opening = new Map<string, Promise<unknown>>();
  private readonly commits = new RepeatedCommits();

  constructor(
    private readonly parts: {
      acts: SessionActs;
      openProject: OpenProject;
      scripts: ScriptRunner;
      personas: Pick<ProjectPersonaReader, 'read'>;
      prompts: Pick<PromptAssembler, 'assemble'>;
      downloads: Pick<Downloads, 'open'>;
      blobs: BlobStore;
      listBranches: ListBranches;
      pushes: Pick<RemotePush, 'push'>;
      log: Logger;
    },
    private readonly limitMs?: number,
  ) {}

  /** The reply to a job; what cannot be done is `refused` with a code and a sentence for the person. */
  async handle(job: WorkspaceJob): Promise<WorkspaceReply> {
    const deadline = performance.now() + (this.limitMs ?? workspaceLimitMs(job.act));
    const begin = () => {
      // Who asked has given up while it waited.
      if (performance.now() >= deadline) throw tooLateFor(job);
      return this.act(job, deadline);
    };
    try {
      const work = this.opened(job).then(() => this.limitFor(job)(begin));
      return await within(deadline, work, tooLateFor(job));
    } catch (error) {
      return this.refuse(job, error);
    }
  }

  /**
   * Building a project's repository can take minutes: however many ask for its files, they do not delay requests for
   * another's.
   */
  private async opened(job: WorkspaceJob): Promise<void> {
    if (!('projectId' in job)) return;
    const { projectId } = job;
    const running =
      this.opening.get(projectId) ??
      this.builds(() => this.parts.openProject(projectId)).finally(() => this.opening.delete(projectId));
    this.opening.set(projectId, running);
    await running;
  }

  private limitFor(job: WorkspaceJob): Limit {
    if ('find' in job && job.find !== undefined) return this.searches;
    if (job.act === 'list-branches' || job.act === 'push') return (work) => this.remoteActs.run(job.who.teamId, work);
    if ('projectId' in job) return this.projectActs;
    if (isWritingAct(job.act)) return this.commitActs;
    return LONG_ACTS.has(job.act) ? this.longActs : this.shortActs;
  }

  private async act(job: WorkspaceJob, deadline: number): Promise<WorkspaceReply> {
    const { acts, blobs, downloads, scripts, prompts } = this.parts;
    const timeLeft = () => Math.max(1, deadline - performance.now());
    if (job.act === 'commit') {
      const order = JSON.stringify([job.message, job.paths ?? null, job.author]);
      const commit = await this.commits.once(job.sessionId, order, () =>
        acts.forWriting(job.sessionId, (workspace) =>
          commitFiles({ scripts, workspace, timeoutMs: timeLeft() * WRITING_SHARE }, job),
        ),
      );
      return { act: 'commit', commit };
    }
    if (job.act === 'write-file')
      return acts.forWriting(job.sessionId, (workspace) =>
        writeFile({ scripts, workspace, timeoutMs: timeLeft() * WRITING_SHARE }, blobs, job),
      );
    if (job.act === 'list-branches') return this.parts.listBranches(job);
    if (job.act === 'push') return pushSession(this.parts, job, timeLeft() * WRITING_SHARE);
    if (job.act === 'change-base') return this.changeBase(job, timeLeft);
    if ('projectId' in job) return this.actOnProject(job, timeLeft);
    const context = { scripts, workspace: await acts.forReading(job.sessionId), timeoutMs: timeLeft() };
    switch (job.act) {
      case 'list-files':
        return job.find === undefined
          ? listFiles(context, job.path, job.cursor)
          : findFiles(context, job.path, job.find);
      case 'read-file':
        return readFile(context, job.path);
      case 'diff':
        return diffFiles(context, job.query);
      case 'file-patch':
        return filePatch(context, job.query);
      case 'list-commits':
        return listCommits(context, job.skip);
      case 'open-download':
        return downloads.open(context, job);
      case 'read-base':
        return { act: 'read-base', base: await readBase(context, await acts.projectOf(job.sessionId)) };
      case 'assemble-prompt':
        return { act: 'assemble-prompt', ...maskPrompt(await prompts.assemble(job, context.workspace.workspace)) };
    }
  }

  private async changeBase({ sessionId, change, author }: BaseJob, timeLeft: () => number): Promise<WorkspaceReply> {
    const { acts, scripts } = this.parts;
    return acts.forWriting(sessionId, async (workspace, { project, move }) => {
      const context = { scripts, workspace, timeoutMs: timeLeft() * WRITING_SHARE };
      const outcome = change === 'merge' ? await mergeBase(context, project, author) : ('undone' as const);
      if (outcome === 'undone') await move(await undoBase(context, author));
      // Until a merge is finished the session's work begins where it did.
      if (outcome === 'merged') await move(project.baseCommit);
      return {
        act: 'change-base' as const,
        outcome,
        base: await readBase({ ...context, timeoutMs: timeLeft() }, project),
      };
    });
  }

  private async actOnProject(job: ProjectJob, timeLeft: () => number): Promise<WorkspaceReply> {
    const { openProject, personas, scripts } = this.parts;
    if (job.act === 'read-personas')
      return { act: 'read-personas', commit: await personas.read(job.projectId, timeLeft()) };
    const context = { scripts, repository: await openProject(job.projectId), timeoutMs: timeLeft() };
    if (job.act === 'read-project-file') return readProjectFile(context, job.path);
    return job.find === undefined
      ? listProjectFiles(context, job.path, job.cursor)
      : findProjectFiles(context, job.path, job.find);
  }

  private refuse(job: WorkspaceJob, error: unknown): Refusal {
    const problem = problemOf(error, job);
    if (isRefusalCode(problem.code)) return { act: 'refused', code: problem.code, detail: problem.detail };
    this.parts.log.error({ err: error, act: job.act, of: subjectOf(job) }, 'workspace.act_failed');
    return { act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail: problem.detail };
  }
}

function problemOf(error: unknown, job: WorkspaceJob): ProblemError {
  if (error instanceof ProblemError) return error;
  const unavailable = new ProblemError(
    'WORKSPACE_UNAVAILABLE',
    `${placeOf(job)} could not be used. The log of the worker says why.`,
  );
  if (!(error instanceof ScriptFailure)) return unavailable;
  if (error.code === SCRIPT_EXIT.notFound) return notFound();
  if (IMPOSSIBLE.has(error.code)) {
    return new ProblemError('VALIDATION_FAILED', `This cannot be done: ${withoutHostPaths(error.reason)}.`);
  }
  if (error.code === SCRIPT_EXIT.unreadable)
    return new ProblemError('VALIDATION_FAILED', `The file cannot be shown: ${error.reason}.`);
  return unavailable;
}

/** What was asked cannot be done, for the reason that the script gives. */
const IMPOSSIBLE: ReadonlySet<number | null> = new Set([
  SCRIPT_EXIT.invalid,
  SCRIPT_EXIT.tooLarge,
  SCRIPT_EXIT.halfway,
]);

const REFUSAL_CODES: ReadonlySet<string> = new Set<Refusal['code']>([
  'NOT_FOUND',
  'PERSONA_NOT_FOUND',
  'VALIDATION_FAILED',
  'WORKSPACE_UNAVAILABLE',
  'TURN_IN_PROGRESS',
  'WORKSPACE_IN_USE',
  'WORKING_ROOT_INACCESSIBLE',
  'WORKSPACE_NOT_STORED',
  'PROJECT_NOT_READY',
  'SANDBOX_UNAVAILABLE',
  'FILE_EXISTS',
  'FILE_CHANGED',
  'HARNESS_FAILURE',
  'GIT_AUTH_FAILED',
  'GIT_HOST_UNREACHABLE',
  'GIT_HOST_FORBIDDEN',
  'GIT_HOST_KEY_CHANGED',
  'GIT_NOT_FOUND',
  'GIT_TOO_LARGE',
  'GIT_CONFLICT',
  'GIT_REMOTE_GONE',
  'GIT_FAILED',
  'GIT_NOTHING_TO_PUSH',
  'GIT_PUSH_REJECTED',
  'GIT_PROTECTED_BRANCH',
]);

function isRefusalCode(code: string): code is Refusal['code'] {
  return REFUSAL_CODES.has(code);
}

function subjectOf(job: WorkspaceJob): string | null {
  if (job.act === 'list-branches') return job.ofProject;
  return 'sessionId' in job ? job.sessionId : job.projectId;
}

function placeOf(job: WorkspaceJob): string {
  if (job.act === 'list-branches') return 'The git host';
  return 'projectId' in job ? 'The project’s repository' : 'The workspace';
}

function tooLateFor(job: WorkspaceJob): ProblemError {
  if (job.act === 'commit') return commitNotFinished();
  if (job.act === 'change-base')
    return new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      'The base was not brought in in time. Look at the changes before you try again.',
    );
  return new ProblemError('WORKSPACE_UNAVAILABLE', `${placeOf(job)} did not answer in time. Try again in a moment.`);
}

/** The work continues when its time is up: a large workspace that is built then serves the next request. */
async function within<T>(deadline: number, work: Promise<T>, tooLateError: ProblemError): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLateError), Math.max(0, deadline - performance.now()));
  });
  work.catch(() => undefined);
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
