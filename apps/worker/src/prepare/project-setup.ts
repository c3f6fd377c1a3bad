import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClaimedTurn } from '@chirality/database';
import { newId, maskHead, maskText } from '@chirality/domain';
import { ProblemError, type Logger } from '@chirality/platform';
import { z } from 'zod';
import { refusalNotice, type EgressGateway } from '../egress';
import type { Sandbox } from '../sandbox/sandbox';
import type { SandboxRunResult } from '../sandbox/sandbox.types';
import type { PreparedTurn } from './prepared-turn';
import type { TurnRecorder } from '../record/turn-recorder';
import { readJsonFile, writeJsonFile } from '../workspace/disk/atomic-file';
import { SetupFailedError } from '../project/setup-failed-error';

const SCRIPT_INSIDE = '/opt/chirality/setup.sh';
const MAX_OUTPUT_BYTES = 1024 * 1024;
const SHOWN_CHARACTERS = 4_000;
const TOLD_CHARACTERS = 1_000;

const markSchema = z.object({ script: z.string() });

/**
 * Runs what a project has for it in a copy of its files, once, before the first turn there, and again when it was
 * changed.
 */
export class ProjectSetup {
  constructor(
    private readonly sandbox: Pick<Sandbox, 'run' | 'kind'>,
    private readonly egress: Pick<EgressGateway, 'open'>,
    private readonly endParked: (sessionId: string) => Promise<void>,
    private readonly timeoutMs: number,
    private readonly log: Logger,
  ) {}

  /**
   * True when it ran, and changed files perhaps. Throws SetupFailedError when it did not end well; the next turn tries
   * again. `stopped` ends it at once.
   */
  async run(
    claimed: ClaimedTurn,
    prepared: PreparedTurn,
    recorder: TurnRecorder,
    stopped: AbortSignal,
  ): Promise<boolean> {
    const { setupScript } = claimed.project;
    // A boot may not change files, and compacting needs none.
    if (setupScript === null || claimed.kind !== 'message') return false;
    const mark = join(dirname(prepared.disk.workspace), 'setup.json');
    const script = createHash('sha256').update(setupScript).digest('hex');
    if ((await readJsonFile(mark, markSchema))?.script === script) return false;
    // A process that waits for the session holds its files.
    await this.endParked(claimed.sessionId);
    stopped.throwIfAborted();
    recorder.record('turn:notice', {
      level: 'info',
      code: 'SETUP_STARTED',
      text: 'The project’s set-up script is running in this session’s files.',
    });
    await prepared.mayChange;
    const startedAt = performance.now();
    const result = await this.execute(claimed, prepared, recorder, setupScript, stopped);
    stopped.throwIfAborted();
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const mask = result.truncated ? maskHead : maskText;
    const output = mask(result.stdout.toString('utf8'), recorder.masks).slice(-SHOWN_CHARACTERS);
    this.log.info(
      { session: claimed.sessionId, turn: claimed.id, code: result.code, timedOut: result.timedOut, seconds },
      'project.set_up',
    );
    if (result.code !== 0 || result.timedOut) throw this.failed(result, output, recorder);
    await writeJsonFile(mark, { script });
    recorder.record('turn:notice', {
      level: 'info',
      code: 'SETUP_DONE',
      text: `The project’s set-up script has ended after ${seconds < 1 ? 'less than a second' : `${seconds} s`}.`,
      output,
    });
    return true;
  }

  private async execute(
    claimed: ClaimedTurn,
    { disk, network, variables }: PreparedTurn,
    recorder: TurnRecorder,
    script: string,
    stopped: AbortSignal,
  ): Promise<SandboxRunResult> {
    const file = join(disk.tmp, 'setup.sh');
    await mkdir(disk.tmp, { recursive: true });
    await writeFile(file, script, { mode: 0o600 });
    const egress =
      network.hosts.length === 0 || this.sandbox.kind === 'none'
        ? null
        : await this.egress.open({ processId: newId('process'), hosts: network.hosts });
    try {
      egress?.bind({
        projectId: claimed.project.id,
        sessionId: claimed.sessionId,
        turnId: claimed.id,
        userId: claimed.author.userId,
        onRefused: (refusal) => recorder.record('turn:notice', refusalNotice(refusal)),
      });
      return await this.sandbox.run({
        profile: 'agent',
        paths: {
          workspace: disk.workspace,
          config: disk.config,
          configReadOnly: true,
          objects: disk.objects,
          lockFile: disk.lockFile,
          extraReadOnly: [[file, SCRIPT_INSIDE]],
        },
        command: ['/bin/bash', '-c', `exec /bin/bash -e -o pipefail ${SCRIPT_INSIDE} 2>&1`],
        variables: variables?.setup ?? {},
        ...(egress ? { egress } : {}),
        maxOutputBytes: MAX_OUTPUT_BYTES,
        timeoutMs: this.timeoutMs,
        stopped,
      });
    } finally {
      await egress?.close();
    }
  }

  private failed(result: SandboxRunResult, output: string, recorder: TurnRecorder): Error {
    if (result.lockBusy)
      return new ProblemError(
        'WORKSPACE_UNAVAILABLE',
        'An earlier process of this session has not ended yet. Try again in a few seconds.',
      );
    if (result.startFailure)
      return new ProblemError('SANDBOX_UNAVAILABLE', `The sandbox could not be started: ${result.startFailure}`);
    const how = this.howItEnded(result);
    recorder.record('turn:notice', {
      level: 'error',
      code: 'SETUP_FAILED',
      text: `The project’s set-up script ${how}.`,
      output,
    });
    const said = output.trim() === '' ? '' : ` It said last: ${output.trim().slice(-TOLD_CHARACTERS)}`;
    return new SetupFailedError(
      `The project’s set-up script ${how}, so the turn was not begun. The next message runs it again; an admin fixes it, or the list of hosts, on the project’s page.${said}`,
    );
  }

  private howItEnded({ code, timedOut, oom, diskFull, tooManyProcesses, tooManyWatches }: SandboxRunResult): string {
    if (timedOut) return `took longer than ${Math.ceil(this.timeoutMs / 60_000)} min and was ended`;
    if (tooManyProcesses) return 'started too many processes and was ended';
    if (tooManyWatches) return 'watched too many files and was ended';
    if (oom) return 'took too much memory and was ended';
    if (diskFull) return 'filled the disk and was ended';
    return code === null ? 'was ended from outside' : `ended with exit code ${code}`;
  }
}
