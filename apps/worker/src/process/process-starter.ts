import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { SYSTEM } from '@chirality/contracts';
import type { ClaimedTurn, SessionToRun } from '@chirality/database';
import { newId } from '@chirality/domain';
import type { EgressGateway, EgressLease } from '../egress';
import type { ModelGateway } from '../gateway/serve/model-gateway';
import type { Backlog, HarnessSpec, StartedHarness } from '../harness/harness';
import type { Harnesses } from '../harness/registry/harnesses';
import { accountName } from '../key/account';
import { INSIDE } from '../sandbox/inside-paths';
import type { Sandbox } from '../sandbox/sandbox';
import type { ConfigClearer } from '../state/copy/config-clearer';
import type { TurnUsageBinding } from '../key/turn-costs';
import type { PreparedTurn } from '../prepare/prepared-turn';
import { waitingOrigin, type LiveProcess, type ProcessOrigin } from './live-process';
import type { ProcessBook } from './process-book';
import type { ProcessPool } from './process-pool';
import { withEgress } from './with-egress';

/** What ran for a turn, without any secret. */
export type Launch = { program: string; args: string[]; environment: string[]; promptHash: string };

/** `launch`: what serves the turn, for a replay by hand. */
export type Acquired = { live: LiveProcess; origin: ProcessOrigin; launch: Launch };

/** Hands out the session's waiting process, or starts a new one in its sandbox. */
export class ProcessStarter {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly gateway: ModelGateway<TurnUsageBinding>,
    private readonly egress: EgressGateway,
    private readonly pool: ProcessPool,
    private readonly backlog: Backlog,
    private readonly book: Pick<ProcessBook, 'registered' | 'unregistered'>,
    private readonly config: Pick<ConfigClearer, 'clear'>,
    private readonly harnesses: Harnesses,
  ) {}

  async acquire(claimed: ClaimedTurn, prepared: PreparedTurn, mode: 'any' | 'cold'): Promise<Acquired> {
    const spawnKey = this.spawnKey(claimed, prepared);
    const spec = specOf(prepared);
    const { model, permissionMode } = spec;
    if (mode === 'any' && !prepared.fresh && !prepared.restored) {
      const waiting = await this.pool.take(claimed.sessionId, {
        spawnKey,
        fence: claimed.fence,
        conversation: prepared.resume,
        tuning: { model, permissionMode },
      });
      if (waiting)
        return {
          live: waiting,
          origin: waitingOrigin(waiting),
          launch: { ...waiting.launch, args: this.harnesses.get(claimed.session.harness).argumentsFor(spec) },
        };
    } else {
      await this.pool.evict(claimed.sessionId);
    }
    const live = await this.start(claimed, prepared, spawnKey);
    return { live, origin: 'cold', launch: live.launch };
  }

  /**
   * Starts a process that waits for the session's next turn. Its way to the model is shut until a turn is bound to it.
   */
  async startAhead(session: SessionToRun, prepared: PreparedTurn): Promise<void> {
    const live = await this.start(session, prepared, this.spawnKey(session, prepared));
    live.nextFence = session.fence + 1n;
    live.conversation = prepared.resume;
    live.process.initialize();
    await this.pool.park(live);
  }

  async discard(live: LiveProcess): Promise<void> {
    live.process.sandboxed.killTree();
    await live.process.exited;
    await live.lease.close();
    this.book.unregistered(live);
  }

  private async start(session: SessionToRun, prepared: PreparedTurn, spawnKey: string): Promise<LiveProcess> {
    const harness = this.harnesses.get(session.session.harness);
    const id = newId('process');
    await this.config.clear(prepared.disk.config, harness.keptConfig);
    const model = await this.gateway.open({ processId: id });
    const egress = await this.openEgress(id, prepared.network.hosts).catch(async (error: unknown) => {
      await model.close();
      throw error;
    });
    const lease = egress ? withEgress(model, egress) : model;
    const variables = prepared.variables?.turns ?? {};
    // Files of later messages are put into it while the process waits.
    mkdirSync(prepared.disk.attachments, { recursive: true, mode: 0o700 });
    const spec = specOf(prepared);
    let started: StartedHarness;
    try {
      started = harness.start(spec, {
        gatewayToken: lease.token,
        author: prepared.author,
        version: this.harnesses.versionOf(harness.name),
        backlog: this.backlog,
        spawn: ({ program, args, env, promptFile, sealed }) =>
          this.sandbox.spawn({
            profile: 'agent',
            paths: {
              workspace: prepared.disk.workspace,
              config: prepared.disk.config,
              objects: prepared.disk.objects,
              modelSocket: lease.socketPath,
              extraReadOnly: [
                [prepared.promptHostPath, promptFile],
                [prepared.disk.attachments, INSIDE.attachments],
              ],
              lockFile: prepared.disk.lockFile,
              sealed,
            },
            command: [program, ...args],
            env,
            variables,
            ...(egress ? { egress } : {}),
          }),
      });
    } catch (error) {
      await lease.close();
      throw error;
    }
    const { process, command } = started;
    const environment = [...Object.keys(command.env), ...Object.keys(variables)];
    const launch: Launch = {
      program: basename(command.program),
      args: command.args,
      environment,
      promptHash: prepared.promptHash,
    };
    const live: LiveProcess = {
      id,
      sessionId: session.sessionId,
      userId: session.author.userId,
      process,
      lease,
      spawnKey,
      tuning: { model: spec.model, permissionMode: spec.permissionMode },
      launch,
      turnsServed: 0,
      nextFence: null,
      conversation: null,
      lastTurnId: null,
      lastOriginator: SYSTEM,
      lastAttempt: 0,
    };
    this.book.registered(live);
    return live;
  }

  /** Null where there is nothing to reach, and where there is no sandbox that could enforce it. */
  private async openEgress(processId: string, hosts: readonly string[]): Promise<EgressLease | null> {
    return hosts.length === 0 || this.sandbox.kind === 'none' ? null : this.egress.open({ processId, hosts });
  }

  private spawnKey({ session: { harness } }: SessionToRun, prepared: PreparedTurn): string {
    const { resume: _resume, model: _model, permissionMode: _mode, ...launch } = specOf(prepared);
    const { author, promptHash: prompt, disk, variables } = prepared;
    const shape = {
      harness,
      launch,
      author,
      account: accountName(prepared.account),
      prompt,
      disk,
      variables: variables?.digest ?? null,
    };
    return createHash('sha256').update(JSON.stringify(shape)).digest('hex');
  }
}

function specOf(prepared: PreparedTurn): HarnessSpec {
  return {
    model: prepared.model,
    ...(prepared.effort === undefined ? {} : { effort: prepared.effort }),
    permissionMode: prepared.gate.permissionMode,
    maxTurns: prepared.maxTurns,
    tools: prepared.tools,
    disallowedTools: prepared.disallowedTools,
    network: prepared.network,
    ...(prepared.outputSchema === null ? {} : { outputSchema: prepared.outputSchema }),
    resume: prepared.resume,
  };
}
