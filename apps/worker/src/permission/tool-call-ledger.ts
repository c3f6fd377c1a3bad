import { untilAnswered, type AuditRepository, type ClaimedTurn, type ToolCallRepository } from '@chirality/database';
import type { ToolDecision } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import { LEASE_GIVE_UP_MS } from '../lease';
import type { AttemptRef } from '../record/turn-state';
import type { PolicyBypass } from './answer-witness';

/** The row that is written before a tool may run. */
export type LedgerEntry = {
  toolUseId: string;
  name: string;
  input: unknown;
  mutating: boolean;
  decision: ToolDecision['decision'];
};

/** The rows of tool calls. A call that waits for its row waits for a database that is away, as its turn does. */
export class ToolCallLedger {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'openToolCall' | 'markAllowed' | 'closeToolCall'>,
    private readonly audit: Pick<AuditRepository, 'record'>,
    private readonly log: Logger,
  ) {}

  /** False when this attempt no longer owns the session. */
  open(attempt: AttemptRef, entry: LedgerEntry): Promise<boolean> {
    return patiently(() => this.calls.openToolCall({ ...attempt, ...entry }));
  }

  /** A person allowed a call; false when the attempt is over. */
  markAllowed(attempt: AttemptRef, toolUseId: string): Promise<boolean> {
    return patiently(() => this.calls.markAllowed(attempt, toolUseId));
  }

  /** Never waited for: a call that stays open is one whose end was not seen, and people would be asked about it. */
  close({ turnId }: AttemptRef, toolUseId: string, outcome: 'ok' | 'error'): void {
    void patiently(() => this.calls.closeToolCall(turnId, toolUseId, outcome)).catch((error: Error) =>
      this.log.warn({ err: error }, 'turn.ledger_not_closed'),
    );
  }

  /** Tells admins that a tool ran which was not allowed. Never rejects. */
  auditBypass(turn: ClaimedTurn, bypass: PolicyBypass): Promise<void> {
    return this.auditTurn(turn, 'policy:bypass', bypass);
  }

  /** Tells admins that a program was not run, because it would have been another one. Never rejects. */
  auditRefusedStart(turn: ClaimedTurn, differences: readonly string[]): Promise<void> {
    return this.auditTurn(turn, 'start:refused', { differences: [...differences] });
  }

  private async auditTurn(
    { id, teamId, projectId, sessionId, author }: ClaimedTurn,
    action: 'policy:bypass' | 'start:refused',
    facts: Record<string, unknown>,
  ): Promise<void> {
    await patiently(() =>
      this.audit.record({
        teamId,
        userId: author.userId,
        userName: author.name,
        action,
        object: sessionId,
        detail: { projectId, turnId: id, ...facts },
      }),
    ).catch((error: Error) => this.log.warn({ err: error }, 'turn.not_audited'));
  }
}

function patiently<T>(act: () => Promise<T>): Promise<T> {
  return untilAnswered(act, LEASE_GIVE_UP_MS);
}
