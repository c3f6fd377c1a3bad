import type { PushAnswer } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { FetchFailedError } from '../project/fetch-failure';
import type { ProjectRepositories } from '../project/project-repositories';
import type { ProjectRepository } from '../project/project.types';
import type { ScriptRunner } from '../script/script-runner';
import type { ActContext } from '../act/act-context';
import { RemoteFailedError, remoteFailureOf } from '../transport/git-failure';
import { pushOutcomeOf } from './push-outcome';
import { FIND_HEAD, PUSH_REMOTE, TAKE_COMMITS, WRITE_COMMITS } from './push-script';
import type { RemoteRepositories } from '../transport/remote-repositories';

const TIMEOUT_MS = 60_000;

/** What is pushed, for whom, and where to. */
type WantedPush = {
  projectId: string;
  who: { teamId: string; userId: string };
  url: string;
  repository: ProjectRepository;
  workspace: ActContext['workspace'];
  branch: string;
  isChosen: boolean;
  lease: string | null;
  /** Only this commit, where one is named; else the last one. */
  commit?: string;
  timeoutMs: number;
};

/** Sends a session's commits to its project's remote, in the name of the person who asks. */
export class RemotePush {
  constructor(
    private readonly parts: {
      remotes: Pick<RemoteRepositories, 'run'>;
      scripts: ScriptRunner;
      projects: Pick<ProjectRepositories, 'aside'>;
    },
  ) {}

  /** What the remote has afterwards, as it was asked. Throws RemoteFailedError with what people then read. */
  async push(wanted: WantedPush): Promise<{ pushed: PushAnswer; isNew: boolean }> {
    const { projectId, who, url, repository, branch, isChosen, lease, timeoutMs } = wanted;
    const { head, count } = await this.headOf(wanted);
    if (wanted.commit !== undefined && wanted.commit !== head)
      throw new ProblemError(
        'CONFLICT',
        'The session’s branch has another last commit by now than the one that was shown. Propose the push again.',
      );
    if (count === 0)
      throw new RemoteFailedError({
        code: 'GIT_NOTHING_TO_PUSH',
        detail: 'The session has no commit that the project lacks. Commit its changes first.',
      });
    return this.parts.projects.aside(async (directory) => {
      await this.takeCommits(wanted, directory);
      const printed = await this.parts.remotes
        .run({ ...who, projectId, what: 'push' }, url, {
          text: PUSH_REMOTE,
          args: [branch, isChosen ? 'chosen' : 'free', head, lease ?? ''],
          directory,
          known: repository.path,
          limits: { timeoutMs },
        })
        .catch((error: unknown) => {
          throw error instanceof FetchFailedError ? new RemoteFailedError(remoteFailureOf(error.failure)) : error;
        });
      const outcome = pushOutcomeOf(printed, head, url);
      if ('code' in outcome) throw new RemoteFailedError(outcome);
      return outcome;
    });
  }

  private async headOf(wanted: WantedPush): Promise<{ head: string; count: number }> {
    const { stdout } = await this.parts.scripts.run({
      text: FIND_HEAD,
      args: basesOf(wanted),
      mounts: mountsOf(wanted),
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: 1_024,
    });
    const [head = '', count = '0'] = stdout.toString('utf8').trim().split(' ');
    return { head, count: Number(count) };
  }

  private async takeCommits(wanted: WantedPush, directory: string): Promise<void> {
    const { scripts } = this.parts;
    const write = { text: WRITE_COMMITS, args: basesOf(wanted), mounts: mountsOf(wanted), timeoutMs: TIMEOUT_MS };
    const mounts = { workspace: directory, source: wanted.repository.path };
    await scripts.collect(write, (bundle) =>
      scripts.feed({ text: TAKE_COMMITS, mounts, timeoutMs: TIMEOUT_MS }, bundle),
    );
  }
}

function basesOf({ workspace, repository }: WantedPush): string[] {
  return [workspace.baseCommit, repository.baseCommit];
}

function mountsOf({ workspace: { workspace, objects } }: WantedPush) {
  return { workspace, workspaceReadOnly: true, objects };
}
