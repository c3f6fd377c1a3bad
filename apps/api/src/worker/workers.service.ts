import { Injectable } from '@nestjs/common';
import type { Page, QueueState, Worker } from '@chirality/contracts';
import { TurnRepository, WorkerRepository } from '@chirality/database';
import { teamIdsOf, type Principal } from '../auth/principal';
import { wholePage } from '../http/json-page';
import { Installation } from '../instance/installation';

export type Harness = { name: 'claude-code' | 'agent-sdk'; available: boolean; versions: string[] };

@Injectable()
export class WorkersService {
  constructor(
    private readonly workers: WorkerRepository,
    private readonly turns: TurnRepository,
    private readonly installation: Installation,
  ) {}

  async list(): Promise<Page<Worker>> {
    return wholePage(await this.workers.list({ testedVersion: this.installation.testedClaudeVersion }));
  }

  /** Over the person's own teams: how busy others are is not told. */
  async queue(who: Principal): Promise<QueueState> {
    const states = await Promise.all(teamIdsOf(who).map((teamId) => this.turns.queueState(teamId)));
    const sum = (count: (state: QueueState) => number) => states.reduce((total, state) => total + count(state), 0);
    const oldest = states.flatMap(({ oldestQueuedMs }) => (oldestQueuedMs === null ? [] : [oldestQueuedMs]));
    return {
      queued: sum(({ queued }) => queued),
      running: sum(({ running }) => running),
      waiting: sum(({ waiting }) => waiting),
      oldestQueuedMs: oldest.length > 0 ? Math.max(...oldest) : null,
    };
  }

  async harnesses(): Promise<Page<Harness>> {
    const live = (await this.list()).data.filter(({ status }) => status !== 'gone');
    const versions = [...new Set(live.flatMap(({ claudeVersion }) => claudeVersion ?? []))].sort();
    return wholePage([
      { name: 'claude-code', available: live.some(({ status }) => status === 'ready'), versions },
      { name: 'agent-sdk', available: false, versions: [] },
    ]);
  }
}
