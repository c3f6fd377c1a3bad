import type { Permission, PermissionAgent, QuestionAnswer } from '@chirality/contracts';
import type { AnsweredPermission, NewPermission as PermissionToStore } from '@chirality/database';
import { joinPatterns, maskJson, maskText, newId, type MaskPattern } from '@chirality/domain';
import { coalesced } from '@chirality/platform';
import type { AnswerChannel } from '../harness/harness';

export type NewPermission = Omit<PermissionToStore, 'sessionId' | 'turnId' | 'expiresAt'>;

/** Why a call is put to people, the rules that they may allow instead of it, and which sub-agent asks. */
export type AskedFor = {
  reason: string;
  patterns: readonly string[];
  agent: PermissionAgent | null;
  parentToolUseId: string | null;
};

type Waiting = {
  permissionId: string;
  toolUseId: string;
  parentToolUseId: string | null;
  tool: string;
  input: Record<string, unknown>;
};

type Open = Waiting & { requestId: string; createdAt: number };

/** The model's answer when a request was denied because no one was present. */
export const NO_ONE_PRESENT =
  'No one was present to answer this request, so it was denied. Continue without this tool, or say what you need and end your turn.';

export interface DeskPorts {
  /** Stores the row, the event and, where needed, the turn's state in one transaction. False: this attempt is over. */
  open(permission: NewPermission): Promise<boolean>;
  /** Stores that no request is open now. */
  allSettled(): Promise<void>;
  read(permissionIds: string[]): Promise<AnsweredPermission[]>;
  /** A tool call that a person allowed is about to run. */
  allowed(toolUseId: string): Promise<boolean>;
  /** What becomes of a call that a person allowed, as things are by now: its input is theirs, or as it was asked. */
  judge(
    toolUseId: string,
    tool: string,
    input: Record<string, unknown>,
  ): Promise<{ input: Record<string, unknown> } | { refused: string }>;
  askedFor(toolUseId: string): AskedFor;
  /** What hides the project's own values. */
  masks?(): readonly MaskPattern[] | undefined;
  onFailure(error: Error): void;
}

/**
 * Puts the program's questions to people and brings their answers back. Requests are rows; a signal or the poll only
 * says "look". Several may be open at once and are answered in any order.
 */
export class PermissionDesk {
  private readonly open = new Map<string, Open>();

  constructor(
    private readonly channel: AnswerChannel,
    private readonly ports: DeskPorts,
  ) {}

  get openIds(): string[] {
    return [...this.open.keys()];
  }

  /** Of one sub-agent, or all. */
  waiting(parentToolUseId?: string): Waiting[] {
    return [...this.open.values()].filter(
      (one) => parentToolUseId === undefined || one.parentToolUseId === parentToolUseId,
    );
  }

  async ask(requestId: string, request: Record<string, unknown>): Promise<void> {
    const tool = String(request['tool_name'] ?? '');
    const toolUseId = String(request['tool_use_id'] ?? requestId);
    const input = (request['input'] ?? {}) as Record<string, unknown>;
    const permissionId = newId('permission');
    const masks = this.ports.masks?.();
    const { reason, agent, parentToolUseId, ...asked } = this.ports.askedFor(toolUseId);
    // No rule is offered that would hold one of the project's own values.
    const patterns = asked.patterns.every((pattern) => maskText(pattern, masks) === pattern) ? asked.patterns : [];
    this.open.set(permissionId, {
      requestId,
      permissionId,
      toolUseId,
      parentToolUseId,
      tool,
      input,
      createdAt: Date.now(),
    });
    try {
      const stored = await this.ports.open({
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
      });
      if (!stored) throw new Error('this attempt is over');
    } catch (error) {
      this.open.delete(permissionId);
      this.ports.onFailure(error as Error);
      this.channel.respondError(
        requestId,
        'No one could be asked because of a fault in the service, so the tool did not run.',
      );
    }
  }

  /** The program withdrew its question (it was interrupted). */
  withdraw(requestId: string): string | null {
    for (const one of this.open.values()) {
      if (one.requestId !== requestId) continue;
      this.open.delete(one.permissionId);
      return one.permissionId;
    }
    return null;
  }

  /** Requests that wait for longer than that. */
  openLongerThan(ms: number): string[] {
    const before = Date.now() - ms;
    return [...this.open.values()]
      .filter(({ createdAt }) => createdAt <= before)
      .map(({ permissionId }) => permissionId);
  }

  /** Reads the rows of all open requests and hands over what was answered. Calls during a look cause one more. */
  readonly look = coalesced(async () => {
    if (this.open.size === 0) return;
    const rows = await this.ports.read(this.openIds).catch(() => []);
    for (const row of rows) if (row.outcome !== null) await this.handOver(row);
    if (rows.some((row) => row.outcome !== null) && this.open.size === 0) await this.ports.allSettled();
  });

  /** Null: this attempt is over. */
  private async allow({ tool, toolUseId, input }: Open, { answer }: AnsweredPermission): Promise<Answer | null> {
    const judged = await this.ports.judge(toolUseId, tool, answer?.input ?? input);
    if ('refused' in judged)
      return {
        behavior: 'deny',
        message: `A person allowed this${answer?.input ? ' with another input' : ''}, but it is denied: ${judged.refused}.`,
      };
    if (!(await this.ports.allowed(toolUseId))) return null;
    return {
      behavior: 'allow',
      updatedInput: answer?.answers ? { ...judged.input, answers: answersAsText(answer.answers) } : judged.input,
    };
  }

  private async handOver(row: AnsweredPermission): Promise<void> {
    const one = this.open.get(row.id);
    if (!one) return;
    if (row.outcome === 'allowed') {
      const allowed = await this.allow(one, row).catch((error: Error) => error);
      if (allowed instanceof Error) {
        // Stays open: the next look hands it over.
        this.ports.onFailure(allowed);
        return;
      }
      // It may have been withdrawn meanwhile.
      if (!this.open.delete(row.id)) return;
      if (allowed === null) this.channel.respondError(one.requestId, 'this attempt is over');
      else this.channel.respond(one.requestId, allowed);
      return;
    }
    this.open.delete(row.id);
    this.channel.respond(one.requestId, { behavior: 'deny', message: denialMessage(row) });
  }
}

type Answer = { behavior: 'allow'; updatedInput: Record<string, unknown> } | { behavior: 'deny'; message: string };

/**
 * The program takes one text for each question: free text stands on separate lines, so that no option is mistaken for
 * it.
 */
function answersAsText(answers: Record<string, QuestionAnswer>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answers).map(([question, answer]) => [
      question,
      typeof answer === 'string' ? answer : textOf(answer),
    ]),
  );
}

function textOf({ chosen, own }: Exclude<QuestionAnswer, string>): string {
  const options = chosen.join(', ');
  if (own.trim() === '') return options;
  return options === '' ? own : `${options}\n\nIn their own words:\n${own}`;
}

function kindOf(tool: string): Permission['kind'] {
  if (tool === 'AskUserQuestion') return 'question';
  if (tool === 'ExitPlanMode') return 'plan';
  return 'tool';
}

function denialMessage(row: AnsweredPermission): string {
  if (row.resolvedReason === NO_ONE_PRESENT) return NO_ONE_PRESENT;
  if (row.outcome === 'expired')
    return 'No one answered the permission request in time, so it was denied. Continue without this tool or say what you need.';
  if (row.outcome === 'run_ended') return 'The request was withdrawn before anyone answered it.';
  if (!row.byPerson) return row.resolvedReason ?? 'Denied.';
  return row.resolvedReason ? `Denied by a person: ${row.resolvedReason}` : 'Denied by a person.';
}
