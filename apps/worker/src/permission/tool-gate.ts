import type { PermissionMode, PermissionPolicy } from '@chirality/contracts';
import {
  decideToolUse,
  isMutatingTool,
  joinPatterns,
  maskJson,
  normalizePath,
  normalizeRule,
  parseCommand,
  placeOf,
  policyOfTurn,
  ruleText,
  type PolicyInForce,
  type ToolDecision,
  type ToolUse,
  type TurnPolicy,
} from '@chirality/domain';
import type { AnswerChannel } from '../harness/harness';
import type { ActiveTurn } from '../record/active-turn';
import type { SessionPolicy } from './session-policy';
import type { ToolCallLedger } from './tool-call-ledger';
import type { WorkspaceView } from './workspace-view';

const END_OF_PLANNING = 'ExitPlanMode';

/**
 * The policy seam: answers the PreToolUse callback of every tool call, read-only ones included. The ledger row is
 * written first; where it cannot be written, or anything here fails, the tool does not run.
 */
export class ToolGate {
  private readonly asked = new Map<
    string,
    { decision: ToolDecision; cwd: string | undefined; mode: unknown; agentType: string | null }
  >();
  private readonly plans = new Set<string>();
  private planApproved = false;

  constructor(
    private readonly channel: AnswerChannel,
    private readonly options: TurnPolicy,
    private readonly turn: Pick<ActiveTurn, 'recorder' | 'state' | 'stop' | 'log'>,
    private readonly policy: Pick<SessionPolicy, 'inForce'>,
    private readonly files: Pick<WorkspaceView, 'realPath' | 'gitRunsPrograms'>,
    private readonly ledger: Pick<ToolCallLedger, 'open'>,
  ) {}

  async decide(requestId: string, request: Record<string, unknown>): Promise<void> {
    try {
      const call = toolCallOf(request);
      const use = await this.useOf(call.name, call.input, call.cwd, reportedMode(request));
      const decision = decideToolUse(use);
      const written = await this.ledger.open(this.turn.state.attempt, {
        toolUseId: call.toolUseId,
        name: call.name,
        input: maskJson(decision.narrowed?.input ?? call.input, this.turn.recorder.masks),
        mutating: isMutatingTool(call.name),
        decision: decision.decision,
      });
      if (!written) {
        this.channel.respondError(requestId, 'this attempt is over');
        return;
      }
      if (decision.decision === 'ask')
        this.asked.set(call.toolUseId, {
          decision,
          cwd: call.cwd,
          mode: reportedMode(request),
          agentType: call.agentType,
        });
      if (call.name === END_OF_PLANNING) this.plans.add(call.toolUseId);
      this.channel.respond(requestId, {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: decision.decision,
          permissionDecisionReason: decision.reason,
          ...(decision.narrowed
            ? { updatedInput: decision.narrowed.input, additionalContext: decision.narrowed.note }
            : {}),
        },
      });
      if (decision.decision === 'deny') {
        this.noteDenied(call.name, call.toolUseId, decision.reason);
        if (wouldAskElsewhere(use)) this.turn.stop.request('unattended');
      }
    } catch (error) {
      this.turn.log.warn({ err: error }, 'permission.not_decided');
      this.channel.respondError(
        requestId,
        'The permission could not be decided because of a fault in the service, so the tool did not run.',
      );
    }
  }

  /**
   * What becomes of a call that a person allows, its input theirs or as it was: a rule that denies it holds for people
   * too.
   */
  async judge(
    toolUseId: string,
    tool: string,
    input: Record<string, unknown>,
  ): Promise<{ input: Record<string, unknown> } | { refused: string }> {
    const decision = decideToolUse(
      await this.useOf(tool, input, this.asked.get(toolUseId)?.cwd, this.asked.get(toolUseId)?.mode),
    );
    if (decision.decision !== 'deny') return { input: decision.narrowed?.input ?? input };
    this.noteDenied(tool, toolUseId, decision.reason);
    return { refused: decision.reason };
  }

  /**
   * What rules and switches of this moment decide about a call that waits for a person; null when it still has to be
   * asked.
   */
  async reconsider(toolUseId: string, tool: string, input: unknown): Promise<PolicyVerdict | null> {
    const asked = this.asked.get(toolUseId);
    if (!asked) return null;
    const decision = decideToolUse(await this.useOf(tool, input, asked.cwd, asked.mode));
    return decision.decision === 'ask' ? null : verdictOf(decision, await this.policy.inForce());
  }

  private noteDenied(tool: string, toolUseId: string, reason: string): void {
    this.turn.recorder.record('turn:notice', {
      level: 'warning',
      code: 'PERMISSION_DENIED',
      text: `${tool} was not allowed: ${reason}`,
      toolUseId,
    });
  }

  private async useOf(tool: string, input: unknown, cwd: string | undefined, reported: unknown): Promise<ToolUse> {
    const inForce = policyOfTurn(this.options, await this.policy.inForce());
    const use: ToolUse = {
      ...inForce,
      permissionMode: this.modeAt(reported, inForce.permissionMode),
      tool,
      input,
      ...(cwd === undefined ? {} : { cwd }),
    };
    if (tool === 'Bash') return this.commandUse(use);
    const place = placeOf(tool, input, use);
    if (place === null) return use;
    // The program folds `..` before it opens a file; what it starts to search does not.
    const real = await Promise.all([place, normalizePath(place) ?? place].map((path) => this.files.realPath(path)));
    return { ...use, realPaths: [...new Set(real)].filter((path) => path !== null) };
  }

  /** What git only reads is looked at as closely as what changes something, where reading may run what was planted. */
  private async commandUse(use: ToolUse): Promise<ToolUse> {
    const programs = use.strict || use.autoApprove === true ? [] : programsOf(use.input);
    if (!programs.includes('git')) return use;
    // After a `cd`, it is unknown which configuration git reads.
    const isElsewhere = programs.some((program) => CHANGES_DIRECTORY.has(program));
    return isElsewhere || (await this.files.gitRunsPrograms(use.cwd)) ? { ...use, strict: true } : use;
  }

  /** A person allowed a call that was put to them. */
  noteAllowed(toolUseId: string): void {
    this.planApproved ||= this.plans.has(toolUseId);
  }

  /**
   * The mode at the moment of this call: planning may be begun by the model, and ends when a person approves the plan.
   * Nothing else that the program says of its mode counts, or it could loosen what was asked for.
   */
  private modeAt(reported: unknown, asked: PermissionMode): PermissionMode {
    if (reported === 'plan') return 'plan';
    return asked === 'plan' && this.planApproved ? 'default' : asked;
  }

  /** Why a call that is now put to a person was not decided by policy. */
  decisionFor(toolUseId: string): ToolDecision | undefined {
    return this.asked.get(toolUseId)?.decision;
  }

  /** What the program says of the sub-agent that made a call; null for the conversation's own. */
  agentTypeOf(toolUseId: string): string | null {
    return this.asked.get(toolUseId)?.agentType ?? null;
  }
}

type PolicyVerdict = { outcome: 'allowed' | 'denied'; reason: string; policy: PermissionPolicy };

/** The record names the rule and who made it, or who switched auto-approve on. */
function verdictOf(
  { decision, reason, rules = [] }: ToolDecision,
  { autoApprove, autoApproveBy }: PolicyInForce,
): PolicyVerdict {
  const outcome = decision === 'allow' ? 'allowed' : 'denied';
  const word = decision === 'allow' ? 'Allowed' : 'Denied';
  const by = rules[0]?.by;
  if (rules.length > 0) {
    const rule = joinPatterns(rules.map((one) => ruleText(normalizeRule(one)))) ?? '';
    return {
      outcome,
      reason: `${word} by the rule ${rule}${by ? `, which ${by.name} added` : ''}.`,
      policy: { rule, ...(by ? { by } : {}) },
    };
  }
  if (decision === 'allow' && autoApprove) {
    const person = autoApproveBy ? { by: autoApproveBy } : {};
    return {
      outcome,
      reason: autoApproveBy
        ? `Allowed because ${autoApproveBy.name} turned on auto-approve.`
        : 'Allowed because auto-approve is on.',
      policy: { autoApprove: true, ...person },
    };
  }
  return { outcome, reason: `${word}: ${reason}.`, policy: {} };
}

const CHANGES_DIRECTORY = new Set(['cd', 'pushd', 'popd']);

/**
 * As the shell would name them, without quotes and backslashes. A command that cannot be read is put to people anyway.
 */
function programsOf(input: unknown): string[] {
  const { command } = (input ?? {}) as Record<string, unknown>;
  const parsed = parseCommand(typeof command === 'string' ? command : '');
  return parsed.ok ? parsed.commands.flatMap(({ words }) => words[0]?.text ?? []) : [];
}

/** Denied only because a pipeline has no one to ask. */
function wouldAskElsewhere(use: ToolUse): boolean {
  return (
    use.mode === 'pipeline' &&
    decideToolUse({ ...use, mode: 'workbench', permissionMode: 'default' }).decision === 'ask'
  );
}

function reportedMode(request: Record<string, unknown>): unknown {
  return (request['input'] as Record<string, unknown> | undefined)?.['permission_mode'];
}

function toolCallOf(request: Record<string, unknown>): {
  name: string;
  input: unknown;
  toolUseId: string;
  cwd: string | undefined;
  agentType: string | null;
} {
  const input = request['input'] as Record<string, unknown> | undefined;
  const name = input?.['tool_name'];
  const toolUseId = input?.['tool_use_id'] ?? request['tool_use_id'];
  if (typeof name !== 'string' || typeof toolUseId !== 'string') throw new Error('the callback names no tool');
  const cwd = input?.['cwd'];
  const agentType = input?.['agent_type'];
  return {
    name,
    input: input?.['tool_input'] ?? {},
    toolUseId,
    agentType: typeof agentType === 'string' ? agentType : null,
    cwd: typeof cwd === 'string' && cwd.startsWith('/') ? cwd : undefined,
  };
}
