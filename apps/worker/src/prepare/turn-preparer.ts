import type { PromptCut } from '@chirality/contracts';
import type { AttachmentDelivery } from '../attachment/attachment-delivery';
import type { ClaimedTurn, SessionToRun, ToolCallRepository } from '@chirality/database';
import { gitEmailOf, maskText, messageSealOf } from '@chirality/domain';
import type { BlobStore, Logger, SecretBox } from '@chirality/platform';
import type { Harnesses } from '../harness/registry/harnesses';
import type { OpenedVariables } from '../project/project-variables';
import { maskPrompt } from '../prompt/mask-prompt';
import { promptHash, type PromptFiles } from '../prompt/prompt-files';
import type { Prompt, PromptAssembler } from '../prompt/prompt-assembler';
import type { Sandbox } from '../sandbox/sandbox';
import type { PreparedSession, SessionDisk } from '../state/session/session-disk';
import { bootFingerprint } from './boot-fingerprint';
import { optionValue, type PreparedTurn } from './prepared-turn';
import { SHARED_FILES_CHANGED } from './shared-files-changed';
import type { TurnRecorder } from '../record/turn-recorder';

/** Where the appended system prompt of a turn is kept for those who may read it. */
function promptKey(turnId: string, form: 'md' | 'json' = 'md'): string {
  return `turns/${turnId}/prompt.${form}`;
}

/** Who pays is found out beside. */
type Shaped = Omit<PreparedTurn, 'account'>;
/** What was resolved for a process beside what the session's rows say. */
type Resolved = { disk: PreparedSession; prompt: Prompt; message: string; variables: OpenedVariables | null } & Pick<
  PreparedTurn,
  'blocks' | 'outputSchema' | 'promptHostPath' | 'mayChange' | 'keepPrompt'
>;
type Masks = OpenedVariables['masks'] | undefined;

/** Resolves everything that shapes a turn's process before one is started. */
export class TurnPreparer {
  constructor(
    private readonly disk: SessionDisk,
    private readonly prompts: PromptAssembler,
    private readonly secrets: SecretBox,
    private readonly ledger: ToolCallRepository,
    private readonly blobs: BlobStore,
    private readonly promptFiles: PromptFiles,
    private readonly harnesses: Pick<Harnesses, 'versionOf'>,
    private readonly sandbox: Pick<Sandbox, 'workspaceInside'>,
    private readonly attachments: Pick<AttachmentDelivery, 'deliver'>,
    private readonly log: Logger,
  ) {}

  async prepare(
    claimed: ClaimedTurn,
    recorder: TurnRecorder,
    stopped: AbortSignal,
    variables: OpenedVariables | null,
  ): Promise<Shaped> {
    const { sessionId, session, project, fence } = claimed;
    const [disk, said] = await Promise.all([
      this.disk.prepare({
        session: {
          id: sessionId,
          projectId: project.id,
          sharedWorkspaceId: session.sharedWorkspaceId,
          claudeSessionId: session.claudeSessionId,
        },
        project,
        fence,
        workspaceFence: claimed.workspaceFence,
        claimed: { version: session.stateVersion, key: session.stateKey, lastRunFence: session.lastRunFence },
      }),
      this.notesOfPeople(claimed),
    ]);
    const notices = [disk.notice, claimed.changedByOthers ? SHARED_FILES_CHANGED : null].filter(
      (each) => each !== null,
    );
    for (const { level, code, text } of notices) recorder.record('turn:notice', { level, code, text });
    const prompt = await this.assemble(claimed, disk);
    if (prompt.cuts.length > 0)
      recorder.record('turn:notice', { level: 'info', code: 'PROMPT_CUT', text: describeCuts(prompt.cuts) });
    // A later turn may have the session already.
    stopped.throwIfAborted();
    const [promptHostPath, attached, marked] = await Promise.all([
      this.promptFiles.keep(prompt.text),
      this.attachments.deliver(claimed, disk),
      // A boot runs nothing that could change the copy.
      claimed.kind === 'boot' ? undefined : this.disk.markDirty(sessionId, { attempt: claimed.attempt, fence }),
    ]);
    const message = [
      ...notices.map(({ messageNote }) => messageNote),
      ...said,
      attached.note,
      this.openMessage(claimed),
    ]
      .filter((part) => part)
      .join('\n\n');
    const keepPrompt = once(
      () =>
        void this.keepForReaders(claimed.id, prompt, variables?.masks).catch((error: Error) =>
          this.log.warn({ err: error, turn: claimed.id }, 'turn.prompt_not_kept'),
        ),
    );
    const prepared = this.shape(claimed, {
      disk,
      prompt,
      promptHostPath,
      message,
      blocks: attached.blocks,
      outputSchema: claimed.outputSchema,
      variables,
      mayChange: marked?.durable ?? Promise.resolve(),
      keepPrompt,
    });
    if (session.bootFingerprint !== null && session.bootFingerprint !== prepared.bootFingerprint) {
      recorder.record('turn:notice', {
        level: 'info',
        code: 'SESSION_REBOOTED',
        text: 'Persona, options, mode or program changed since this session was booted, so it was booted again.',
      });
    }
    return prepared;
  }

  /** The same for a turn that is only expected: there is no message, nothing is announced and nothing marked. */
  async prepareAhead(session: SessionToRun, disk: PreparedSession, variables: OpenedVariables | null): Promise<Shaped> {
    const prompt = await this.assemble(session, disk);
    const nothing = {
      message: '',
      blocks: [],
      outputSchema: null,
      mayChange: Promise.resolve(),
      keepPrompt: () => undefined,
    };
    return this.shape(session, {
      disk,
      prompt,
      promptHostPath: await this.promptFiles.keep(prompt.text),
      variables,
      ...nothing,
    });
  }

  private assemble({ session, persona, options }: SessionToRun, disk: PreparedSession): Promise<Prompt> {
    return this.prompts.assemble(
      { mode: session.mode, persona, addition: options.appendPrompt?.value ?? null },
      disk.workspace,
    );
  }

  private shape(
    { session, project, persona, options, author }: SessionToRun,
    { disk, prompt, promptHostPath, message, blocks, outputSchema, variables, mayChange, keepPrompt }: Resolved,
  ): Shaped {
    const fresh = optionValue(options, 'context') === 'fresh';
    return {
      message,
      blocks,
      mode: session.mode,
      gate: {
        mode: session.mode,
        permissionMode: optionValue(options, 'permissionMode'),
        strict: options.strict?.value ?? false,
        autoApproveTools: options.autoApproveTools?.value ?? [],
        ownApprovals: ['turn', 'session'].includes(options.autoApproveTools?.from ?? 'built-in'),
        disallowedTools: options.disallowedTools?.value ?? [],
        network: project.egress,
        mayProposePush: project.source.kind === 'git',
        workspace: this.sandbox.workspaceInside(disk.workspace),
      },
      model: optionValue(options, 'model'),
      ...(options.effort === undefined ? {} : { effort: options.effort.value }),
      maxTurns: optionValue(options, 'maxTurns'),
      tools: optionValue(options, 'tools'),
      disallowedTools: options.disallowedTools?.value ?? [],
      network: project.egress,
      outputSchema,
      variables,
      setupRan: false,
      timeoutMs: options.timeoutMs?.value ?? null,
      resume: fresh ? null : disk.claudeSessionId,
      fresh,
      restored: disk.restored,
      promptHostPath,
      keepPrompt,
      mayChange,
      promptHash: promptHash(prompt.text),
      bootFingerprint: bootFingerprint({
        persona,
        mode: session.mode,
        sessionOptions: session.options,
        harness: session.harness,
        claudeVersion: this.harnesses.versionOf(session.harness),
      }),
      author: { name: author.name, email: gitEmailOf(author.userId) },
      disk: {
        workspace: disk.workspace,
        config: disk.config,
        tmp: disk.tmp,
        attachments: disk.attachments,
        objects: disk.objects,
        lockFile: disk.lockFile,
      },
    };
  }

  private async keepForReaders(turnId: string, prompt: Prompt, masks: Masks): Promise<void> {
    const { sections, cuts } = maskPrompt(prompt, masks);
    await this.blobs.put(promptKey(turnId), Buffer.from(maskText(prompt.text, masks)), { mayBeLost: true });
    await this.blobs.put(promptKey(turnId, 'json'), Buffer.from(JSON.stringify({ sections, cuts })), {
      mayBeLost: true,
    });
  }

  private openMessage(claimed: ClaimedTurn): string {
    return this.secrets.open(claimed.messageCipher, messageSealOf(claimed.sessionId)).toString('utf8');
  }

  /** Verdicts on calls with an unknown outcome: for the model, before the next message. */
  private async notesOfPeople(claimed: ClaimedTurn): Promise<string[]> {
    if (!claimed.hasToldCalls) return [];
    const told = await this.ledger.listUntold(claimed.sessionId, claimed.id);
    return told.map(({ name, toolUseId, outcome, note }) => {
      const verdict =
        outcome === 'succeeded'
          ? 'it succeeded'
          : outcome === 'failed'
            ? 'it failed'
            : 'it was aborted and must not be repeated';
      return `Note from the service: the end of your earlier call of ${name} (${toolUseId}) was not seen. A person says that ${verdict}.${note ? ` ${note}` : ''}`;
    });
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}

function describeCuts(cuts: PromptCut[]): string {
  const parts = cuts.map(
    ({ part, name, removedCharacters }) =>
      `${part} ${name}${removedCharacters === null ? '' : ` (${removedCharacters} characters)`}`,
  );
  return `The prompt was too long, so this was cut: ${parts.join(', ')}.`;
}
