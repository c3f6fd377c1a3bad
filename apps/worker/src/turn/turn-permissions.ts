import type { EventKind, TurnStatus } from '@chirality/contracts';
import type { Tx } from '@chirality/database';
import { nextStatus, type PolicyInForce, type TurnCause } from '@chirality/domain';
import type { AnswerChannel } from '../harness/harness';
import { Attendance } from '../permission/attendance';
import { NOBODY_THERE, PermissionDesk, type NewPermission } from '../permission/permission-desk';
import { realPathOf } from '../permission/real-path';
import { ToolGate } from '../permission/tool-gate';
import type { PreparedTurn } from './prepared-turn';
import type { TurnJournal } from './turn-journal';
import type { AttemptRef, TurnServices } from './turn-services';

/** What the permissions of a turn need from its execution. */
export interface PermissionHost {
  readonly attempt: AttemptRef;
  readonly status: TurnStatus;
  readonly journal: TurnJournal;
  change(cause: TurnCause | null, events?: { kind: EventKind; payload: unknown }[], also?: (tx: Tx) => Promise<void>): Promise<boolean>;
  waiting(isWaiting: boolean): void;
  /** A tool was denied because there is nobody to ask. */
  unattended(): void;
}

/** Gate and desk of one turn on one process, tied to the turn's rows, events and status. */
export class TurnPermissions {
  private readonly gate: ToolGate;
  private readonly desk: PermissionDesk;
  private readonly attendance: Attendance;

  constructor(
    channel: AnswerChannel,
    { gate, disk }: Pick<PreparedTurn, 'gate' | 'disk'>,
    private readonly host: PermissionHost,
    private readonly services: TurnServices,
    policy: () => Promise<PolicyInForce>,
  ) {
    const onFailure = (error: Error) => services.log.warn({ err: error, turn: host.attempt.turnId }, 'permission.not_decided');
    this.gate = new ToolGate(channel, gate, {
      onFailure,
      policy,
      realPath: async (path) => (gate.workspace ? realPathOf(path, { inside: gate.workspace, host: disk.workspace }) : path),
      masks: () => host.journal.masks,
      writeLedger: (entry) => services.writeLedger(host.attempt, entry),
      onDenied: (denial) => {
        host.journal.record('turn:notice', { level: 'warning', code: 'PERMISSION_DENIED', text: `${denial.tool} was not allowed: ${denial.reason}`, toolUseId: denial.toolUseId });
        if (denial.unattended) host.unattended();
      },
    });
    this.desk = new PermissionDesk(channel, {
      onFailure,
      masks: () => host.journal.masks,
      open: (permission) => this.openRequest(permission),
      allSettled: () => this.settleWaiting(),
      read: (ids) => services.readPermissions(ids),
      allowed: (toolUseId) => {
        this.gate.noteAllowed(toolUseId);
        return services.markAllowed(host.attempt, toolUseId);
      },
      changed: (toolUseId, tool, input) => this.gate.judgeChanged(toolUseId, tool, input),
      reasonFor: (toolUseId) => this.gate.decisionFor(toolUseId)?.reason ?? 'Claude Code asks for this tool',
    });
    this.attendance = new Attendance({ count: () => services.countAnswerers(host.attempt), onAbsent: () => void this.denyUnattended() }, services.unattendedMs);
  }

  /** The program asks us something. False when we do not know what. */
  handle(requestId: string, request: Record<string, unknown>): boolean {
    if (request['subtype'] === 'hook_callback') void this.gate.decide(requestId, request);
    else if (request['subtype'] === 'can_use_tool') void this.desk.ask(requestId, request);
    else return false;
    return true;
  }

  look(): void {
    void this.desk.look();
  }

  async withdraw(requestId: string): Promise<void> {
    const permissionId = this.desk.withdraw(requestId);
    if (permissionId) await this.services.endPermissions(this.host.attempt, [permissionId], { outcome: 'run_ended' });
    if (this.desk.openIds.length === 0) await this.settleWaiting();
  }

  private async denyUnattended(): Promise<void> {
    const waiting = this.desk.openLongerThan(this.services.unattendedMs);
    if (waiting.length === 0) return;
    await this.services.endPermissions(this.host.attempt, waiting, { outcome: 'denied', reason: NOBODY_THERE });
    this.look();
  }

  /** The process is gone: nothing that it asked can be answered any more. */
  async close(): Promise<void> {
    this.attendance.end();
    const open = this.desk.openIds;
    if (open.length > 0) await this.services.endPermissions(this.host.attempt, open, { outcome: 'run_ended' });
  }

  private async openRequest(permission: NewPermission): Promise<boolean> {
    const { id, ...payload } = permission;
    const begins = nextStatus(this.host.status, 'permission_asked') !== null;
    const opened = await this.host.change(
      begins ? 'permission_asked' : null,
      [{ kind: 'permission:request', payload: { permissionId: id, ...payload } }],
      (tx) => this.services.insertPermission(tx, this.host.attempt, permission),
    );
    if (opened && begins) this.host.waiting(true);
    if (opened) {
      this.attendance.begin();
      // The answer may have come between the row and the first look.
      this.look();
    }
    return opened;
  }

  private async settleWaiting(): Promise<void> {
    this.attendance.end();
    if (this.host.status === 'awaiting_permission' && (await this.host.change('permission_settled'))) this.host.waiting(false);
  }
}
