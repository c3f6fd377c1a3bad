import { Injectable } from '@nestjs/common';
import {
  harnessNameSchema,
  type Harness,
  type HarnessName,
  type Page,
  type QueueState,
  type Worker,
} from '@chirality/contracts';
import { TurnRepository, WorkerRepository } from '@chirality/database';
import { teamIdsOf, type Principal } from '../access/principal';
import { wholePage } from '../core/http/json-page';
import { SharedWorkspacesService } from '../shared-workspace/shared-workspaces.service';
import { Installation } from '../instance/installation';

@Injectable()
export class WorkersService {
  constructor(
    private readonly workers: WorkerRepository,
    private readonly turns: TurnRepository,
    private readonly workspaces: SharedWorkspacesService,
    private readonly installation: Installation,
  ) {}

  async list(): Promise<Page<Worker>> {
    return wholePage(await this.workers.list({ testedVersion: this.installation.testedClaudeVersion }));
  }

  /** Over the person's own teams: how busy others are is not shown. */
  async queue(who: Principal): Promise<QueueState> {
    const [workspaces, ...states] = await Promise.all([
      this.workspaces.listUsed(who),
      ...teamIdsOf(who).map((teamId) => this.turns.queueState(teamId)),
    ]);
    const sum = (count: (state: (typeof states)[number]) => number) =>
      states.reduce((total, state) => total + count(state), 0);
    const oldest = states.flatMap(({ oldestQueuedMs }) => (oldestQueuedMs === null ? [] : [oldestQueuedMs]));
    return {
      queued: sum(({ queued }) => queued),
      running: sum(({ running }) => running),
      waiting: sum(({ waiting }) => waiting),
      oldestQueuedMs: oldest.length > 0 ? Math.max(...oldest) : null,
      workspaces,
    };
  }

  async harnesses(): Promise<Page<Harness>> {
    const live = (await this.list()).data.filter(({ status }) => status !== 'gone');
    return wholePage(
      harnessNameSchema.options.map((name) => {
        const having = live.filter(({ harnesses }) => harnesses.includes(name));
        const available = having.some(({ status }) => status === 'ready');
        return {
          name,
          available,
          reason: available ? null : absenceOf(name, live, having),
          versions: versionsOf(having),
        };
      }),
    );
  }
}

/** Workers report the version of the one program that there is, which all harnesses run. */
function versionsOf(workers: Worker[]): string[] {
  return [...new Set(workers.flatMap(({ claudeVersion }) => claudeVersion ?? []))].sort();
}

const PACKAGES: Record<HarnessName, string> = {
  'claude-code': 'Claude Code',
  'agent-sdk': 'The package @anthropic-ai/claude-agent-sdk',
};

function absenceOf(name: HarnessName, live: Worker[], having: Worker[]): string {
  if (live.length === 0) return 'No worker is running.';
  return having.length > 0
    ? 'No worker that has it takes turns now.'
    : `${PACKAGES[name]} is not installed where the workers run.`;
}
