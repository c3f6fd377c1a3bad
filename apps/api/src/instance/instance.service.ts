import { Inject, Injectable } from '@nestjs/common';
import type { Instance, Worker } from '@chirality/contracts';
import { WorkerRepository } from '@chirality/database';
import { CONFIG, type Config } from '@chirality/platform';
import { Installation } from './installation';

/** What every page shows about this installation. */
@Injectable()
export class InstanceService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly installation: Installation,
    private readonly workers: WorkerRepository,
  ) {}

  async describe(): Promise<Instance> {
    const { testedClaudeVersion, version } = this.installation;
    const live = (await this.workers.list({ testedVersion: testedClaudeVersion })).filter(
      ({ status }) => status !== 'gone',
    );
    const demo = this.config.anthropicApiKey === null && this.config.anthropicBaseUrl === null;
    return { version, demo, sandbox: sandboxOf(live), warnings: warningsOf(live, demo) };
  }
}

function sandboxOf(live: Worker[]): Instance['sandbox'] {
  if (live.some(({ sandbox }) => sandbox === 'none')) return 'none';
  return live.some(({ sandbox }) => sandbox === 'bubblewrap') ? 'bubblewrap' : 'unavailable';
}

function warningsOf(live: Worker[], demo: boolean): Instance['warnings'] {
  const odd = live.find(
    ({ claudeVersion, testedVersion }) => claudeVersion !== null && claudeVersion !== testedVersion,
  );
  const broken = live.find(({ sandbox }) => sandbox === 'unavailable');
  return [
    ...(live.length === 0
      ? [{ code: 'NO_WORKER', text: 'No worker is running: messages cannot be sent until one does.' }]
      : []),
    ...(broken
      ? [
          {
            code: 'SANDBOX_UNAVAILABLE',
            text: `A worker has no working sandbox${broken.sandboxDetail ? `: ${broken.sandboxDetail}` : ''}.`,
          },
        ]
      : []),
    ...(live.some(({ sandbox }) => sandbox === 'none')
      ? [
          {
            code: 'NO_SANDBOX',
            text: 'Turns run without a sandbox, as this installation is configured (CHIRALITY_SANDBOX=none).',
          },
        ]
      : []),
    ...(odd
      ? [
          {
            code: 'CLAUDE_VERSION',
            text: `A worker runs Claude Code ${odd.claudeVersion}; this release is tested with ${odd.testedVersion}.`,
          },
        ]
      : []),
    ...(demo
      ? [
          {
            code: 'DEMO_MODEL',
            text: 'The built-in demo model answers, because no key is configured (ANTHROPIC_API_KEY).',
          },
        ]
      : []),
  ];
}
