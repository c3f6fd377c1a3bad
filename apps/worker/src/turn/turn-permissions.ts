import { join } from 'node:path';
import type { EventKind, EventPayload, TurnStatus } from '@chirality/contracts';
import type { Tx } from '@chirality/database';
import { nextStatus, type PolicyInForce, type TurnCause } from '@chirality/domain';
import type { AnswerChannel } from '../harness/harness';
import { Attendance } from '../permission/attendance';
import { AnswerWitness, type PolicyBypass, type ToolRuling } from '../permission/answer-witness';
import { GLOBAL_GIT_CONFIG, gitMayRunPrograms } from '../workspace/git-programs';
import { NO_ONE_PRESENT, PermissionDesk, type NewPermission } from '../permission/permission-desk';
import { realPathOf } from '../permission/real-path';
import { SubAgents } from '../permission/sub-agents';
import { ToolGate } from '../permission/tool-gate';
import type { PreparedTurn } from '../process/prepared-turn';
import type { TurnJournal } from '../record/turn-journal';
import type { AttemptRef, TurnServices } from './turn-services';

/** What the permissions of a turn need from its execution. */
export interface PermissionHost {
  readonly attempt: AttemptRef;
  readonly status: TurnStatus;
  readonly journal: TurnJournal;
  change(
    cause: TurnCause | null,
    events?: { kind: EventKind; payload: unknown }[],
    also?: (tx: Tx) => Promise<void>,
  ): Promise<boolean>;
  waiting(isWaiting: boolean): void;
  /** A tool ran that was not allowed: nothing of this process can be relied on. */
  bypassed(bypass: PolicyBypass): Promise<void>;
  /** A tool was denied because there is no one to ask. */
  unattended(): void;
  /** The turn ends because no one answered for too long. */
  readonly hasExpired: boolean;
}

/** Tool gate and permission requests of one turn on one process, tied to the turn's rows, events and status. */
export class TurnPermissions {
  private readonly gate: ToolGate;
  private readonly desk: PermissionDesk;
  private readonly attendance: Attendance;
  private readonly subAgents = new SubAgents();
  /** Since when something waits: the limit of all that waits is counted from then. */
  private waitingSinceMs: number | null = null;
  private readonly witness = new AnswerWitness();
  private audited: Promise<void> = Promise.resolve();

  constructor(
    program: AnswerChannel,
    { gate, disk }: Pick<PreparedTurn, 'gate' | 'disk'>,
    private readonly host: PermissionHost,
    private readonly services: TurnServices,
    policy: () => Promise<PolicyInForce>,
  ) {
    const channel = this.witness.watch(program);
    const onFailure = (error: Error) =>
      services.log.warn({ err: error, turn: host.attempt.turnId }, 'permission.not_decided');
    this.gate = new ToolGate(channel, gate, {
      onFailure,
      policy,
      realPath: async (path) =>
        gate.workspace ? realPathOf(path, { inside: gate.workspace, host: disk.workspace }) : path,
      gitRunsPrograms: async (directory = gate.workspace) => {
        const inside = gate.workspace;
        if (inside === undefined || directory === undefined) return false;
        const below =
          directory === inside || directory.startsWith(`${inside}/`)
            ? disk.workspace + directory.slice(inside.length)
            : directory;
        return gitMayRunPrograms({
          workspace: disk.workspace,
          directory: below,
          config: join(disk.config, GLOBAL_GIT_CONFIG),
        });
      },
      masks: () => host.journal.masks,
      writeLedger: (entry) => services.writeLedger(host.attempt, entry),
      onDenied: (denial) => {
        host.journal.record('turn:notice', {
          level: 'warning',
          code: 'PERMISSION_DENIED',
          text: `${denial.tool} was not allowed: ${denial.reason}`,
          toolUseId: denial.toolUseId,
        });
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
      judge: (toolUseId, tool, input) => this.gate.judge(toolUseId, tool, input),
      askedFor: (toolUseId) => {
        const { reason = 'Claude Code asks for this tool', patterns = [] } = this.gate.decisionFor(toolUseId) ?? {};
        return { reason, patterns, ...this.subAgents.askerOf(toolUseId, this.gate.agentTypeOf(toolUseId)) };
      },
    });
    this.attendance = new Attendance(
      {
        count: () => services.countAnswerers(host.attempt),
        onAbsent: () => void this.endUnattended(),
        onChange: (isAlone) =>
          void this.services.moveDeadlines(this.host.attempt, this.desk.openIds, this.deadline(isAlone)),
        onLook: () => this.look(),
      },
      services.unattendedMs,
    );
  }

  /** The program asks us something. False when we do not know what. */
  handle(requestId: string, request: Record<string, unknown>): boolean {
    this.witness.wasAsked(requestId, request);
    if (request['subtype'] === 'hook_callback') void this.gate.decide(requestId, request);
    else if (request['subtype'] === 'can_use_tool') void this.desk.ask(requestId, request);
    else return false;
    return true;
  }

  /** What the program says of a tool that ended. */
  compare(ruling: ToolRuling): void {
    const bypass = this.witness.compare(ruling);
    if (bypass) this.report(bypass);
  }

  private report(bypass: PolicyBypass): void {
    const { tool, toolUseId } = bypass;
    this.host.journal.record('turn:notice', {
      level: 'error',
      code: 'POLICY_BYPASSED',
      text: `${tool || 'A tool'} ran although it was not allowed, so the turn was ended. An admin finds it in the audit log.`,
      toolUseId,
    });
    this.audited = Promise.all([this.audited, this.host.bypassed(bypass)]).then(() => undefined);
  }

  /** Answers that came, and rules or switches that decide by now what waits. */
  look(): void {
    void this.settleDecided().then(() => this.desk.look());
  }

  toolStarted(call: EventPayload<'tool:start'>): void {
    this.subAgents.started(call);
  }

  /** What a sub-agent asked is over with it. */
  async toolEnded(toolUseId: string): Promise<void> {
    const orphans = this.desk.waiting(toolUseId).map(({ permissionId }) => permissionId);
    if (orphans.length === 0) return;
    await this.services.endPermissions(this.host.attempt, orphans, { outcome: 'run_ended' });
    await this.desk.look();
  }

  private async settleDecided(): Promise<void> {
    for (const { permissionId, toolUseId, tool, input } of this.desk.waiting()) {
      // What cannot be found out now is looked at again in a moment.
      const verdict = await this.gate.reconsider(toolUseId, tool, input).catch(() => null);
      if (verdict) await this.services.endPermissions(this.host.attempt, [permissionId], verdict);
    }
  }

  async withdraw(requestId: string): Promise<void> {
    const permissionId = this.desk.withdraw(requestId);
    if (permissionId)
      await this.services.endPermissions(this.host.attempt, [permissionId], {
        outcome: this.host.hasExpired ? 'expired' : 'run_ended',
      });
    if (this.desk.openIds.length === 0) await this.settleWaiting();
  }

  /** Until when an answer is waited for, as things are. */
  private deadline(isAlone: boolean): Date {
    const { unattendedMs, waitMs } = this.services;
    const last = (this.waitingSinceMs ?? Date.now()) + waitMs;
    return new Date(isAlone ? Math.min(last, Date.now() + unattendedMs) : last);
  }

  private async endUnattended(): Promise<void> {
    const waiting = this.desk.openLongerThan(this.services.unattendedMs);
    if (waiting.length === 0) return;
    await this.services.endPermissions(this.host.attempt, waiting, { outcome: 'expired', reason: NO_ONE_PRESENT });
    this.look();
  }

  /** The process is gone: its requests can no longer be answered. */
  async close(): Promise<void> {
    this.attendance.end();
    await this.audited;
    const open = this.desk.openIds;
    if (open.length > 0)
      await this.services.endPermissions(this.host.attempt, open, {
        outcome: this.host.hasExpired ? 'expired' : 'run_ended',
      });
  }

  private async openRequest(permission: NewPermission): Promise<boolean> {
    const { id, agent, parentToolUseId, ...payload } = permission;
    const isAlone = await this.attendance.isAlone();
    this.waitingSinceMs ??= Date.now();
    const expiresAt = this.deadline(isAlone);
    const asker = { ...(agent ? { agent } : {}), ...(parentToolUseId ? { parentToolUseId } : {}) };
    const begins = nextStatus(this.host.status, 'permission_asked') !== null;
    const opened = await this.host.change(
      begins ? 'permission_asked' : null,
      [
        {
          kind: 'permission:request',
          payload: { permissionId: id, ...payload, ...asker, expiresAt: expiresAt.toISOString() },
        },
      ],
      (tx) => this.services.insertPermission(tx, this.host.attempt, { ...permission, expiresAt }),
    );
    if (opened && begins) this.host.waiting(true);
    if (opened) {
      this.attendance.begin(isAlone);
      // The answer may have come between the row and the first look.
      this.look();
    }
    return opened;
  }

  private async settleWaiting(): Promise<void> {
    this.attendance.end();
    this.waitingSinceMs = null;
    if (this.host.status === 'awaiting_permission' && (await this.host.change('permission_settled')))
      this.host.waiting(false);
  }
}
