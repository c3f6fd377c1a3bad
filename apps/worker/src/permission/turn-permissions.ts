import type { EventPayload } from '@chirality/contracts';
import type { ActiveTurn } from '../record/active-turn';
import type { AnswerWitness, PolicyBypass, ToolRuling } from './answer-witness';
import type { PermissionRequests, UnansweredEnd } from './permission-requests';
import type { SubAgents } from './sub-agents';
import type { ToolCallLedger } from './tool-call-ledger';
import type { ToolGate } from './tool-gate';

/** All that the program which serves a turn asks, and what it says of the tools that it ran. */
export class TurnPermissions {
  private audited: Promise<void> = Promise.resolve();

  constructor(
    private readonly turn: ActiveTurn,
    private readonly gate: ToolGate,
    private readonly requests: PermissionRequests,
    private readonly witness: AnswerWitness,
    private readonly subAgents: SubAgents,
    private readonly ledger: ToolCallLedger,
  ) {}

  /** The program asks us something. False when we do not know what. */
  handle(requestId: string, request: Record<string, unknown>): boolean {
    this.witness.wasAsked(requestId, request);
    if (request['subtype'] === 'hook_callback') void this.gate.decide(requestId, request);
    else if (request['subtype'] === 'can_use_tool') void this.requests.ask(requestId, request);
    else return false;
    return true;
  }

  withdraw(requestId: string, outcome: UnansweredEnd): void {
    void this.requests.withdraw(requestId, outcome);
  }

  /** Answers may have come, and rules or switches may have changed. */
  look(): void {
    void this.requests.look();
  }

  toolStarted(call: EventPayload<'tool:start'>): void {
    this.subAgents.started(call);
  }

  toolEnded(toolUseId: string, outcome: 'ok' | 'error'): void {
    this.ledger.close(this.turn.state.attempt, toolUseId, outcome);
    void this.requests.endOf(toolUseId);
  }

  /** What the program says of a tool that ended. */
  compare(ruling: ToolRuling): void {
    const bypass = this.witness.compare(ruling);
    if (bypass) this.report(bypass);
  }

  /** The program would have been started in another way than was decided on. */
  startRefused(differences: readonly string[]): void {
    const { turn } = this;
    turn.stop.request('refused_start');
    turn.log.error({ differences }, 'turn.start_refused');
    this.auditing(this.ledger.auditRefusedStart(turn.claimed, differences));
  }

  /** The process is gone. Resolves when nothing that it asked is open, and what is an admin's is in the audit log. */
  async close(outcome: UnansweredEnd): Promise<void> {
    await Promise.all([this.requests.close(outcome), this.audited]);
  }

  private report(bypass: PolicyBypass): void {
    const { tool, toolUseId } = bypass;
    const { turn } = this;
    turn.recorder.record('turn:notice', {
      level: 'error',
      code: 'POLICY_BYPASSED',
      text: `${tool || 'A tool'} ran although it was not allowed, so the turn was ended. An admin finds it in the audit log.`,
      toolUseId,
    });
    turn.stop.request('bypassed');
    turn.log.error({ bypass }, 'turn.policy_bypassed');
    this.auditing(this.ledger.auditBypass(turn.claimed, bypass));
  }

  private auditing(record: Promise<void>): void {
    this.audited = Promise.all([this.audited, record]).then(() => undefined);
  }
}
