import type { HarnessName } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { AgentProgram } from '../../sandbox/agent-program';
import type { Sandbox } from '../../sandbox/sandbox';
import { createAgentSdk } from '../agent-sdk/agent-sdk';
import { claudeCode } from '../claude-code/claude-code';
import { claudeProgram } from '../claude-code/claude-program';
import type { Harness } from '../harness';

/** Everything outside this folder knows harnesses by their name only. */
export const HARNESSES: readonly Harness[] = [claudeCode, createAgentSdk()];

/** The program that all of them run; `configured`: its path, where it is not the one that is installed with us. */
export function agentProgram(configured: string | null): AgentProgram {
  return claudeProgram(configured);
}

/** The harnesses that this release knows, and which of them are installed here. */
export class Harnesses {
  private readonly versions = new Map<HarnessName, string>();

  constructor(
    private readonly sandbox: Sandbox,
    private readonly known: readonly Harness[] = HARNESSES,
  ) {}

  get installed(): HarnessName[] {
    return [...this.versions.keys()];
  }

  versionOf(name: HarnessName): string | null {
    return this.versions.get(name) ?? null;
  }

  /** Asks those that were not found so far for their version. Never rejects. */
  async look(): Promise<void> {
    const absent = this.known.filter(({ name }) => !this.versions.has(name));
    const found = await Promise.all(
      absent.map(async ({ name, findVersion }) => ({ name, version: await findVersion(this.sandbox) })),
    );
    for (const { name, version } of found) if (version !== null) this.versions.set(name, version);
  }

  /** Throws ProblemError for one that this release does not know. */
  get(name: HarnessName): Harness {
    const harness = this.known.find((one) => one.name === name);
    if (!harness)
      throw new ProblemError(
        'HARNESS_FAILURE',
        `This worker has no harness ${name}. Start a new session with one that GET /v1/harnesses lists.`,
      );
    return harness;
  }
}
