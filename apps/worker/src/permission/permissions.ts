import type { PolicyRepository } from '@chirality/database';
import type { AnswerChannel } from '../harness/harness';
import type { PushDescription } from '../proposal/push-description';
import type { PushProposals } from '../proposal/push-proposals';
import type { PreparedTurn } from '../prepare/prepared-turn';
import type { ActiveTurn } from '../record/active-turn';
import { AnswerWitness } from './answer-witness';
import { PermissionRequests, type WaitLimits } from './permission-requests';
import { ProposedPushes } from '../proposal/proposed-pushes';
import type { PermissionStore } from './permission-store';
import { SessionPolicy } from './session-policy';
import { SubAgents } from './sub-agents';
import type { ToolCallLedger } from './tool-call-ledger';
import { ToolGate } from './tool-gate';
import { TurnPermissions } from './turn-permissions';
import { WorkspaceView } from './workspace-view';

/** Makes the gate and the permission requests of each process that serves a turn. */
export class Permissions {
  constructor(
    private readonly policies: PolicyRepository,
    private readonly store: PermissionStore,
    private readonly ledger: ToolCallLedger,
    private readonly description: PushDescription,
    private readonly proposals: PushProposals,
    private readonly limits: WaitLimits,
  ) {}

  ofTurn(
    turn: ActiveTurn,
    { gate: options, disk, mayChange }: Pick<PreparedTurn, 'gate' | 'disk' | 'mayChange'>,
    program: AnswerChannel,
  ): TurnPermissions {
    const witness = new AnswerWitness();
    const channel = witness.watch(program);
    const policy = new SessionPolicy(this.policies, turn.claimed, mayChange);
    const gate = new ToolGate(channel, options, turn, policy, new WorkspaceView(options.workspace, disk), this.ledger);
    const subAgents = new SubAgents();
    const pushes = new ProposedPushes(turn, this.description, this.proposals);
    const { store, ledger, limits } = this;
    const requests = new PermissionRequests(channel, turn, gate, subAgents, store, ledger, pushes, limits);
    return new TurnPermissions(turn, gate, requests, witness, subAgents, this.ledger);
  }
}
