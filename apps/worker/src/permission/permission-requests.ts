import type { Permission, PushProposal } from '@chirality/contracts';
import type { AnsweredPermission, PermissionEnd } from '@chirality/database';
import { joinPatterns, maskJson, maskText, newId, nextStatus } from '@chirality/domain';
import { coalesced } from '@chirality/platform';
import type { AnswerChannel } from '../harness/harness';
import type { ActiveTurn } from '../record/active-turn';
import { answersAsText, denialMessage, NO_ANSWER_TO_AGENT, NO_ONE_PRESENT, outcomeCommand } from './answer-texts';
import { PresenceWatch } from './presence-watch';
import type { ProposedPushes } from '../proposal/proposed-pushes';
import type { NewPermission, PermissionStore } from './permission-store';
import type { SubAgents } from './sub-agents';
import type { ToolCallLedger } from './tool-call-ledger';
import type { ToolGate } from './tool-gate';

type Waiting = {
  permissionId: string;
  requestId: string;
  toolUseId: string;
  parentToolUseId: string | null;
  tool: string;
  input: Record<string, unknown>;
  createdAt: number;
  proposal: PushProposal | null;
  /** A person allowed it, and it is being done. */
  isUnderWay: boolean;
};

/** Why requests are closed that no person answered. */
export type UnansweredEnd = Extract<PermissionEnd['outcome'], 'expired' | 'run_ended'>;

/** How long a request waits: in all, and while no one is present who may answer it. */
export type WaitLimits = { waitMs: number; unattendedMs: number };

/**
 * Puts the questions of the program that serves a turn to people and brings their answers back. Requests are rows; a
 * signal or the poll only says "look". Several may be open at once and are answered in any order.
 */
export class PermissionRequests {
  private readonly open = new Map<string, Waiting>();
  private readonly presence: PresenceWatch;
  /** Since when something waits: the limit of all that waits is counted from then. */
  private waitingSinceMs: number | null = null;

  constructor(
    private readonly channel: AnswerChannel,
    private readonly turn: Pick<ActiveTurn, 'claimed' | 'recorder' | 'state' | 'log'>,
    private readonly gate: Pick<ToolGate, 'judge' | 'reconsider' | 'noteAllowed' | 'decisionFor' | 'agentTypeOf'>,
    private readonly subAgents: Pick<SubAgents, 'askerOf'>,
    private readonly store: PermissionStore,
    private readonly ledger: Pick<ToolCallLedger, 'markAllowed'>,
    private readonly pushes: Pick<ProposedPushes, 'describe' | 'carryOut' | 'ended'>,
    private readonly limits: WaitLimits,
  ) {
    this.presence = new PresenceWatch(
      {
        // A program waits for its turn, and people may not look: a minute is all that there is, also while people are
        // present.
        count: () => (this.isAgents ? Promise.resolve(0) : store.countAnswerers(turn.claimed.sessionId)),
        onAbsent: () => void this.endUnattended(),
        onChange: (isAlone) => void store.moveDeadlines(turn.state.attempt, this.openIds, this.deadline(isAlone)),
        onLook: () => void this.look(),
      },
      limits.unattendedMs,
    );
  }

  async ask(requestId: string, request: Record<string, unknown>): Promise<void> {
    const tool = String(request['tool_name'] ?? '');
    const toolUseId = String(request['tool_use_id'] ?? requestId);
    const input = (request['input'] ?? {}) as Record<string, unknown>;
    const permissionId = newId('permission');
    const { masks } = this.turn.recorder;
    const {
      reason = 'Claude Code asks for this tool',
      patterns: found = [],
      push,
    } = this.gate.decisionFor(toolUseId) ?? {};
    const { agent, parentToolUseId } = this.subAgents.askerOf(toolUseId, this.gate.agentTypeOf(toolUseId));
    // No rule is offered that would hold one of the project's own values.
    const patterns = found.every((pattern) => maskText(pattern, masks) === pattern) ? found : [];
    const createdAt = Date.now();
    const waiting = { requestId, permissionId, toolUseId, parentToolUseId, tool, input, createdAt };
    this.open.set(permissionId, { ...waiting, proposal: null, isUnderWay: false });
    try {
      const proposal = push ? maskJson(await this.pushes.describe(push), masks) : null;
      // Withdrawn meanwhile.
      if (!this.open.has(permissionId)) return;
      if (proposal && 'refused' in proposal) {
        this.open.delete(permissionId);
        this.channel.respond(requestId, { behavior: 'deny', message: proposal.refused });
        return;
      }
      this.open.set(permissionId, { ...waiting, proposal, isUnderWay: false });
      const stored = await this.put({
        id: permissionId,
        kind: kindOf(tool),
        toolUseId,
        tool,
        input: maskJson(input, masks),
        reason,
        pattern: joinPatterns(patterns),
        patterns,
        agent: agent && maskJson(agent, masks),
        parentToolUseId,
        proposal,
      });
      if (!stored) throw new Error('this attempt is over');
    } catch (error) {
      this.open.delete(permissionId);
      this.report(error as Error);
      this.channel.respondError(
        requestId,
        'No one could be asked because of a fault in the service, so the tool did not run.',
      );
    }
  }

  /** Looks for answers that came, and for rules or switches that decide by now what waits. Never rejects. */
  async look(): Promise<void> {
    await this.endDecided();
    await this.handOverAnswers();
  }

  /** The program withdrew its question (it was interrupted). Never rejects. */
  async withdraw(requestId: string, outcome: UnansweredEnd): Promise<void> {
    const withdrawn = [...this.open.values()].find((one) => one.requestId === requestId);
    if (withdrawn) {
      this.open.delete(withdrawn.permissionId);
      await this.end([withdrawn.permissionId], { outcome });
    }
    if (this.open.size === 0) await this.resume();
  }

  /** What a sub-agent asked is over with it. Never rejects. */
  async endOf(parentToolUseId: string): Promise<void> {
    const orphans = [...this.open.values()].filter((one) => one.parentToolUseId === parentToolUseId);
    if (orphans.length === 0) return;
    const ids = orphans.map(({ permissionId }) => permissionId);
    await this.end(ids, { outcome: 'run_ended' });
    await this.handOverAnswers();
  }

  /** The process is gone: nothing that it asked can be answered. Never rejects. */
  async close(outcome: UnansweredEnd): Promise<void> {
    this.presence.end();
    if (this.open.size > 0) await this.end(this.openIds, { outcome });
    await this.pushes.ended();
  }

  /** An agent began the turn. */
  private get isAgents(): boolean {
    return this.turn.claimed.author.identityClass === 'agent';
  }

  private get openIds(): string[] {
    return [...this.open.keys()];
  }

  /** Stores the row, the event and, where needed, the turn's state in one transaction. False: this attempt is over. */
  private async put(permission: NewPermission): Promise<boolean> {
    const { id, agent, parentToolUseId, proposal, ...payload } = permission;
    const { state } = this.turn;
    const isAlone = await this.presence.isAlone();
    this.waitingSinceMs ??= Date.now();
    const expiresAt = this.deadline(isAlone);
    const asker = { ...(agent ? { agent } : {}), ...(parentToolUseId ? { parentToolUseId } : {}) };
    const more = { ...(proposal ? { proposal } : {}), expiresAt: expiresAt.toISOString() };
    const request = { permissionId: id, ...payload, ...asker, ...more };
    const begins = nextStatus(state.status, 'permission_asked') !== null;
    const stored = await state.change(
      begins ? 'permission_asked' : null,
      [{ kind: 'permission:request', payload: request }],
      (tx) => this.store.insert(tx, state.attempt, { ...permission, expiresAt }),
    );
    if (!stored) return false;
    this.presence.begin(isAlone);
    // The answer may have come between the row and the first look.
    void this.look();
    return true;
  }

  /** Nothing waits for an answer: the turn runs again. */
  private async resume(): Promise<void> {
    this.presence.end();
    this.waitingSinceMs = null;
    if (this.turn.state.status === 'awaiting_permission') await this.turn.state.change('permission_settled');
  }

  private async endDecided(): Promise<void> {
    for (const { permissionId, toolUseId, tool, input } of [...this.open.values()]) {
      // What cannot be found out now is looked at again in a moment.
      const verdict = await this.gate.reconsider(toolUseId, tool, input).catch(() => null);
      if (verdict) await this.end([permissionId], verdict);
    }
  }

  private async endUnattended(): Promise<void> {
    const before = Date.now() - this.limits.unattendedMs;
    const waiting = [...this.open.values()].filter(({ createdAt }) => createdAt <= before);
    if (waiting.length === 0) return;
    const ids = waiting.map(({ permissionId }) => permissionId);
    await this.end(ids, { outcome: 'expired', reason: this.isAgents ? NO_ANSWER_TO_AGENT : NO_ONE_PRESENT });
    await this.look();
  }

  private end(permissionIds: string[], end: PermissionEnd): Promise<void> {
    return this.store.end(this.turn.state.attempt, permissionIds, end);
  }

  /** Until when an answer is waited for, as things are. */
  private deadline(isAlone: boolean): Date {
    const { waitMs, unattendedMs } = this.limits;
    const last = (this.waitingSinceMs ?? Date.now()) + waitMs;
    return new Date(isAlone ? Math.min(last, Date.now() + unattendedMs) : last);
  }

  /** Reads the rows of all open requests and hands over what was answered. Calls that overlap cause one more. */
  private readonly handOverAnswers = coalesced(async () => {
    if (this.open.size === 0) return;
    const rows = await this.store.readAnswers(this.openIds).catch(() => []);
    const answered = rows.filter(({ outcome }) => outcome !== null);
    for (const row of answered) await this.handOver(row);
    if (answered.length > 0 && this.open.size === 0) await this.resume();
  });

  private async handOver(row: AnsweredPermission): Promise<void> {
    const one = this.open.get(row.id);
    if (!one || one.isUnderWay) return;
    if (row.outcome === 'allowed' && one.proposal) {
      one.isUnderWay = true;
      // It may take minutes, and other answers are not to wait for it.
      void this.carryOut(one, one.proposal, row).catch((error: Error) => this.report(error));
      return;
    }
    if (row.outcome === 'allowed') {
      const allowed = await this.allow(one, row).catch((error: Error) => error);
      // Stays open: the next look hands it over.
      if (allowed instanceof Error) return this.report(allowed);
      // It may have been withdrawn meanwhile.
      if (!this.open.delete(row.id)) return;
      if (allowed === null) this.channel.respondError(one.requestId, 'this attempt is over');
      else this.channel.respond(one.requestId, allowed);
      return;
    }
    this.open.delete(row.id);
    this.channel.respond(one.requestId, { behavior: 'deny', message: denialMessage(row) });
  }

  /** The push itself is made here; the program then runs a command that says what came of it. */
  private async carryOut(one: Waiting, proposal: PushProposal, row: AnsweredPermission): Promise<void> {
    const allowed = await this.allow(one, row).catch((error: Error) => error);
    if (allowed instanceof Error) {
      // Stays open: the next look tries again.
      one.isUnderWay = false;
      throw allowed;
    }
    const answer: Answer | null =
      allowed?.behavior === 'allow'
        ? { ...allowed, updatedInput: outcomeCommand(await this.pushes.carryOut(proposal, row)) }
        : allowed;
    if (!this.open.delete(one.permissionId)) return;
    if (answer === null) this.channel.respondError(one.requestId, 'this attempt is over');
    else this.channel.respond(one.requestId, answer);
    if (this.open.size === 0) await this.resume();
  }

  /** Null: this attempt is over. */
  private async allow({ tool, toolUseId, input }: Waiting, { answer }: AnsweredPermission): Promise<Answer | null> {
    const judged = await this.gate.judge(toolUseId, tool, answer?.input ?? input);
    if ('refused' in judged)
      return {
        behavior: 'deny',
        message: `A person allowed this${answer?.input ? ' with another input' : ''}, but it is denied: ${judged.refused}.`,
      };
    this.gate.noteAllowed(toolUseId);
    if (!(await this.ledger.markAllowed(this.turn.state.attempt, toolUseId))) return null;
    return {
      behavior: 'allow',
      updatedInput: answer?.answers ? { ...judged.input, answers: answersAsText(answer.answers) } : judged.input,
    };
  }

  private report(error: Error): void {
    this.turn.log.warn({ err: error }, 'permission.not_decided');
  }
}

type Answer = { behavior: 'allow'; updatedInput: Record<string, unknown> } | { behavior: 'deny'; message: string };

function kindOf(tool: string): Permission['kind'] {
  if (tool === 'AskUserQuestion') return 'question';
  if (tool === 'ExitPlanMode') return 'plan';
  return 'tool';
}
