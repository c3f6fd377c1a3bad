import type { ClaimedTurn, SessionToRun } from '@chirality/database';
import { authorOf } from '../key/account';
import type { AccountFinder } from '../key/account-finder';
import type { OpenedVariables, ProjectVariables } from '../project/project-variables';
import type { TurnRecorder } from '../record/turn-recorder';
import type { SessionDisk } from '../state/session/session-disk';
import type { PreparedTurn } from './prepared-turn';
import type { ProjectSetup } from './project-setup';
import type { TurnPreparer } from './turn-preparer';

/**
 * Resolves everything that shapes a turn's process: who pays, the project's variables and set-up, files, options and
 * prompt.
 */
export class TurnPreparation {
  constructor(
    private readonly accounts: Pick<AccountFinder, 'accountOf'>,
    private readonly variables: Pick<ProjectVariables, 'open'>,
    private readonly preparer: TurnPreparer,
    private readonly setup: ProjectSetup,
    private readonly disk: Pick<SessionDisk, 'whileIdle'>,
  ) {}

  /** Throws ProblemError for what a person can repair. */
  async prepare(claimed: ClaimedTurn, recorder: TurnRecorder, stopped: AbortSignal): Promise<PreparedTurn> {
    const variables = await this.openVariables(claimed);
    if (variables) recorder.maskAlso(variables.masks);
    const [account, prepared] = await Promise.allSettled([
      this.accounts.accountOf(authorOf(claimed)),
      this.preparer.prepare(claimed, recorder, stopped, variables),
    ]);
    // Not before both are over: what is being prepared holds the session's copy.
    if (account.status === 'rejected') throw account.reason;
    if (prepared.status === 'rejected') throw prepared.reason;
    const { paidBy, keyId } = account.value;
    const complete = { ...prepared.value, account: { paidBy, keyId } };
    return { ...complete, setupRan: await this.setup.run(claimed, complete, recorder, stopped) };
  }

  /**
   * Prepares the session's copy for a turn that is only expected, and runs `start` on it while no turn can begin. Null
   * when one has, or the copy is not fit.
   */
  async whileIdle<T>(session: SessionToRun, start: (prepared: PreparedTurn) => Promise<T>): Promise<T | null> {
    const { project, sessionId: id } = session;
    const { sharedWorkspaceId, claudeSessionId } = session.session;
    // The first turn sets the files up, which no process may have open.
    if (project.setupScript !== null && claudeSessionId === null) return null;
    const { paidBy, keyId } = await this.accounts.accountOf(authorOf(session));
    const variables = await this.openVariables(session);
    return this.disk.whileIdle(
      { session: { id, projectId: project.id, sharedWorkspaceId, claudeSessionId }, project },
      async (disk) =>
        start({ ...(await this.preparer.prepareAhead(session, disk, variables)), account: { paidBy, keyId } }),
    );
  }

  private async openVariables({ project }: SessionToRun): Promise<OpenedVariables | null> {
    return project.hasVariables ? this.variables.open(project.id) : null;
  }
}
