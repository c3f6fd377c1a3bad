import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClaimedTurn, ToolCallRepository } from '@chirality/database';
import { assemblePrompt, maskText, messageSealOf, type PromptCut } from '@chirality/domain';
import { ProblemError, type BlobStore, type Logger, type SecretBox } from '@chirality/platform';
import { INSIDE } from '../harness/claude-code/claude-environment';
import type { InstructionRoot } from '../instruction/instruction-root';
import { readProjectContext } from '../prompt/project-context';
import type { SessionDisk } from '../state/session-disk';
import { bootFingerprint, type BootFacts } from './boot-fingerprint';
import { optionValue, type PreparedTurn } from './prepared-turn';
import type { TurnJournal } from './turn-journal';

/** Where the appended system prompt of a turn is kept for those who may read it. */
export function promptKey(turnId: string): string {
  return `turns/${turnId}/prompt.md`;
}

/** Resolves everything that shapes a turn's process before one is started. */
export class TurnPreparer {
  private readonly keptPrompts = new Set<string>();

  constructor(
    private readonly disk: SessionDisk,
    private readonly instructions: InstructionRoot,
    private readonly secrets: SecretBox,
    private readonly ledger: ToolCallRepository,
    private readonly blobs: BlobStore,
    private readonly promptRoot: string,
    private readonly claudeVersion: () => string | null,
    private readonly log: Logger,
  ) {}

  async prepare(claimed: ClaimedTurn, journal: TurnJournal, stopped: AbortSignal): Promise<Omit<PreparedTurn, 'account'>> {
    const { sessionId, session, project, fence, options } = claimed;
    const [disk, said] = await Promise.all([
      this.disk.prepare({
        session: { id: sessionId, projectId: project.id, workspace: session.workspace, claudeSessionId: session.claudeSessionId },
        project,
        fence,
        claimed: { version: session.stateVersion, key: session.stateKey, lastRunFence: session.lastRunFence },
      }),
      this.notesOfPeople(claimed),
    ]);
    if (disk.notice) journal.record('turn:notice', { level: disk.notice.level, code: disk.notice.code, text: disk.notice.text });
    const prompt = await this.assemble(claimed, disk.workspace);
    if (prompt.cuts.length > 0) journal.record('turn:notice', { level: 'info', code: 'PROMPT_CUT', text: describeCuts(prompt.cuts) });
    const promptHash = createHash('sha256').update(prompt.text).digest('hex');
    const fresh = optionValue(options, 'context') === 'fresh';
    // A later turn may have the session already.
    stopped.throwIfAborted();
    const [promptHostPath] = await Promise.all([
      this.keepPrompt(claimed.id, promptHash, prompt.text),
      // A boot runs nothing that could change the copy.
      claimed.kind === 'boot' ? undefined : this.disk.markDirty(sessionId, { attempt: claimed.attempt, fence }),
    ]);
    const fingerprint = bootFingerprint({ persona: prompt.persona, mode: session.mode, sessionOptions: session.options, harness: session.harness, claudeVersion: this.claudeVersion() });
    if (session.bootFingerprint !== null && session.bootFingerprint !== fingerprint) {
      journal.record('turn:notice', { level: 'info', code: 'SESSION_REBOOTED', text: 'Persona, options, mode or program changed since this session was booted, so it was booted again.' });
    }
    return {
      message: [disk.notice?.messageNote, ...said, this.openMessage(claimed)].filter((part) => part !== undefined).join('\n\n'),
      mode: session.mode,
      gate: {
        mode: session.mode,
        permissionMode: optionValue(options, 'permissionMode'),
        strict: options.strict?.value ?? false,
        autoApproveTools: options.autoApproveTools?.value ?? [],
        ownApprovals: ['turn', 'session'].includes(options.autoApproveTools?.from ?? 'built-in'),
        disallowedTools: options.disallowedTools?.value ?? [],
        network: project.egress,
        workspace: INSIDE.workspace,
      },
      model: optionValue(options, 'model'),
      maxTurns: optionValue(options, 'maxTurns'),
      tools: optionValue(options, 'tools'),
      disallowedTools: options.disallowedTools?.value ?? [],
      network: project.egress,
      timeoutMs: options.timeoutMs?.value ?? null,
      resume: fresh ? null : disk.claudeSessionId,
      fresh,
      restored: disk.restored,
      promptHostPath,
      promptHash,
      bootFingerprint: fingerprint,
      author: { name: claimed.author.name, email: `${claimed.author.userId.toLowerCase()}@users.chirality.local` },
      disk: { workspace: disk.workspace, config: disk.config, objects: disk.objects, lockFile: disk.lockFile },
    };
  }

  private async assemble({ session, options }: ClaimedTurn, workspace: string): Promise<{ text: string; cuts: PromptCut[]; persona: BootFacts['persona'] }> {
    const found = session.persona === null ? null : await this.instructions.persona(session.persona);
    if (session.persona !== null && found === null) {
      throw new ProblemError('PERSONA_NOT_FOUND', `There is no persona ${session.persona} any more. Choose another one for this session.`);
    }
    const [base, mode, context] = await Promise.all([this.instructions.base(), this.instructions.mode(session.mode), readProjectContext(workspace)]);
    const persona = found && { key: found.key, text: found.prompt };
    return { ...assemblePrompt({ base, mode, context, persona, addition: options.appendPrompt?.value ?? null }), persona };
  }

  /** Named by content, so a waiting process and a new one share the file; kept beside the turn for a reader. */
  private async keepPrompt(turnId: string, hash: string, text: string): Promise<string> {
    const path = join(this.promptRoot, `${hash}.md`);
    if (!this.keptPrompts.has(hash)) {
      // Never half a prompt under the name of the whole one.
      const aside = `${path}.${randomBytes(6).toString('hex')}`;
      await mkdir(this.promptRoot, { recursive: true, mode: 0o700 });
      await writeFile(aside, text, { mode: 0o600 });
      await rename(aside, path);
      this.keptPrompts.add(hash);
    }
    // For readers only: the turn does not wait for it.
    void this.blobs.put(promptKey(turnId), Buffer.from(maskText(text))).catch((error: Error) => this.log.warn({ err: error, turn: turnId }, 'turn.prompt_not_kept'));
    return path;
  }

  private openMessage(claimed: ClaimedTurn): string {
    return this.secrets.open(claimed.messageCipher, messageSealOf(claimed.sessionId)).toString('utf8');
  }

  /** What people said of tool calls whose end nobody saw: for the model, before the next message. */
  private async notesOfPeople(claimed: ClaimedTurn): Promise<string[]> {
    const told = await this.ledger.listToldSince(claimed.sessionId, claimed.id);
    return told.map(({ name, toolUseId, outcome, note }) => {
      const verdict = outcome === 'succeeded' ? 'it succeeded' : outcome === 'failed' ? 'it failed' : 'it was aborted and must not be repeated';
      return `Note from the service: the end of your earlier call of ${name} (${toolUseId}) was not seen. A person says that ${verdict}.${note ? ` ${note}` : ''}`;
    });
  }
}

function describeCuts(cuts: PromptCut[]): string {
  const parts = cuts.map(({ part, name, removedCharacters }) => `${part} ${name}${removedCharacters === null ? '' : ` (${removedCharacters} characters)`}`);
  return `The prompt was too long, so this was cut: ${parts.join(', ')}.`;
}
