import { createHash } from 'node:crypto';
import type { ClaimedTurn, SessionToRun } from '@chirality/database';
import { newId } from '@chirality/domain';
import type { EgressGateway, EgressLease } from '../egress';
import type { ModelGateway } from '../gateway';
import { claudeArguments, toolsAskedFor, type ClaudeLaunch } from '../harness/claude-code/claude-arguments';
import { claudeEnvironment, INSIDE as CLAUDE_INSIDE } from '../harness/claude-code/claude-environment';
import { ClaudeProcess, type Backlog } from '../harness/claude-code/claude-process';
import { accountName } from '../key/account';
import { INSIDE, type Sandbox, type SandboxedProcess } from '../sandbox';
import type { TurnUsageBinding } from '../turn/turn-costs';
import type { PreparedTurn } from '../turn/prepared-turn';
import { waitingOrigin, type LiveProcess, type ProcessOrigin } from './live-process';
import type { ProcessPool } from './process-pool';
import { withEgress } from './with-egress';

/** What ran for a turn, without any secret. */
export type Launch = { program: string; args: string[]; environment: string[]; promptHash: string };

export interface StarterPorts {
  /** Writes down that the process exists, so that it can be ended when we are gone. Must not throw. */
  registered(live: LiveProcess): void;
  unregistered(live: LiveProcess): void;
  /**
   * What serves the turn, for a replay by hand; from then on the turn counts as having touched the session's copy. Not
   * waited for: the program has to hear from the model before it can touch anything.
   */
  launched(claimed: ClaimedTurn, launch: Launch): Promise<void>;
}

/** Hands out the session's waiting process, or starts a new one in its sandbox. */
export class ProcessStarter {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly gateway: ModelGateway<TurnUsageBinding>,
    private readonly egress: EgressGateway,
    private readonly pool: ProcessPool,
    private readonly backlog: Backlog,
    private readonly ports: StarterPorts,
    /** The version that was found; null while it is not known. */
    private readonly claudeVersion: () => string | null,
  ) {}

  async acquire(claimed: ClaimedTurn, prepared: PreparedTurn, mode: 'any' | 'cold'): Promise<{ live: LiveProcess; origin: ProcessOrigin }> {
    const spawnKey = this.spawnKey(prepared);
    if (mode === 'any' && !prepared.fresh && !prepared.restored) {
      const waiting = await this.pool.take(claimed.sessionId, { spawnKey, fence: claimed.fence, conversation: prepared.resume });
      if (waiting) {
        void this.ports.launched(claimed, waiting.launch);
        return { live: waiting, origin: waitingOrigin(waiting) };
      }
    } else {
      await this.pool.evict(claimed.sessionId);
    }
    const live = await this.start(claimed, prepared, spawnKey);
    void this.ports.launched(claimed, live.launch);
    return { live, origin: 'cold' };
  }

  /** Starts a process that waits for the session's next turn. Its way to the model is shut until a turn is bound to it. */
  async startAhead(session: SessionToRun, prepared: PreparedTurn): Promise<void> {
    const live = await this.start(session, prepared, this.spawnKey(prepared));
    live.nextFence = session.fence + 1n;
    live.conversation = prepared.resume;
    live.process.initialize();
    await this.pool.park(live);
  }

  async discard(live: LiveProcess): Promise<void> {
    live.process.sandboxed.killTree();
    await live.process.exited;
    await live.lease.close();
    this.ports.unregistered(live);
  }

  private async start(session: SessionToRun, prepared: PreparedTurn, spawnKey: string): Promise<LiveProcess> {
    const id = newId('process');
    const model = await this.gateway.open({ processId: id });
    const egress = await this.openEgress(id, prepared.network.hosts).catch(async (error: unknown) => {
      await model.close();
      throw error;
    });
    const lease = egress ? withEgress(model, egress) : model;
    const asked = launchOf(prepared);
    const args = claudeArguments(asked);
    const env = claudeEnvironment({ gatewayToken: lease.token, author: prepared.author });
    let sandboxed: SandboxedProcess;
    try {
      sandboxed = this.sandbox.spawn({
        profile: 'agent',
        paths: {
          workspace: prepared.disk.workspace,
          config: prepared.disk.config,
          objects: prepared.disk.objects,
          modelSocket: lease.socketPath,
          extraReadOnly: [[prepared.promptHostPath, CLAUDE_INSIDE.promptFile]],
          lockFile: prepared.disk.lockFile,
        },
        command: [INSIDE.claude, ...args],
        env,
        variables: prepared.variables?.turns ?? {},
        ...(egress ? { egress } : {}),
      });
    } catch (error) {
      await lease.close();
      throw error;
    }
    const process = new ClaudeProcess(sandboxed, {
      asked: { cwd: CLAUDE_INSIDE.workspace, permissionMode: asked.permissionMode, model: asked.model, tools: toolsAskedFor(asked), version: this.claudeVersion() },
      requestedSessionId: prepared.resume,
      backlog: this.backlog,
    });
    const launch: Launch = { program: 'claude', args, environment: [...Object.keys(env), ...Object.keys(prepared.variables?.turns ?? {})], promptHash: prepared.promptHash };
    const live: LiveProcess = {
      id,
      sessionId: session.sessionId,
      userId: session.author.userId,
      process,
      lease,
      spawnKey,
      launch,
      turnsServed: 0,
      nextFence: null,
      conversation: null,
      lastTurnId: null,
      lastAttempt: 0,
    };
    this.ports.registered(live);
    return live;
  }

  /** Null where there is nothing to reach, and where there is no sandbox that could keep anybody from anything. */
  private async openEgress(processId: string, hosts: readonly string[]): Promise<EgressLease | null> {
    return hosts.length === 0 || this.sandbox.kind === 'none' ? null : this.egress.open({ processId, hosts });
  }

  private spawnKey(prepared: PreparedTurn): string {
    const { resume: _resume, ...launch } = launchOf(prepared);
    const { author, promptHash: prompt, disk, variables } = prepared;
    const shape = { launch, author, account: accountName(prepared.account), prompt, disk, variables: variables?.digest ?? null };
    return createHash('sha256').update(JSON.stringify(shape)).digest('hex');
  }
}

function launchOf(prepared: PreparedTurn): ClaudeLaunch {
  return {
    model: prepared.model,
    permissionMode: prepared.gate.permissionMode,
    maxTurns: prepared.maxTurns,
    tools: prepared.tools,
    disallowedTools: prepared.disallowedTools,
    network: prepared.network,
    promptFile: CLAUDE_INSIDE.promptFile,
    resume: prepared.resume,
  };
}
