import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_NETWORK } from '@chirality/domain';
import { stillRunning, treeWhenKilled } from '../test/process-tree';
import { makeSandboxHost } from '../test/sandbox-host';
import { failingThread } from '../test/sdk-threads';
import { createAgentSdk } from '../src/harness/agent-sdk/agent-sdk';
import { sdkVersion } from '../src/harness/agent-sdk/sdk-package';
import { figureRow, type Row } from './report';
import { median } from './statistics';

/** From the decision to end a program whose thread failed until no process of it is left. */
export async function measureThreadEnd(rounds: number): Promise<Row> {
  const host = makeSandboxHost();
  const ms: number[] = [];
  try {
    const prompt = join(host.directory, 'prompt.md');
    writeFileSync(prompt, 'Be brief.');
    for (let round = 0; round < rounds; round += 1) {
      const { process } = createAgentSdk(failingThread('started', 'throws')).start(
        {
          model: 'sonnet',
          permissionMode: 'default',
          maxTurns: 1,
          tools: 'default',
          disallowedTools: [],
          network: NO_NETWORK,
          resume: null,
        },
        {
          gatewayToken: 'token',
          author: { name: 'Ada', email: 'ada@example.org' },
          version: sdkVersion(),
          backlog: { isFull: () => false, whenDrained: async () => undefined },
          spawn: ({ program, args, env, promptFile }) =>
            host.sandbox.spawn({
              profile: 'agent',
              paths: { ...host.paths, extraReadOnly: [[prompt, promptFile]] },
              command: [program, ...args],
              env,
            }),
        },
      );
      const { tree, atMs } = await treeWhenKilled(process.sandboxed);
      while (stillRunning(tree).length > 0) await delay(1);
      ms.push(performance.now() - atMs);
      await process.exited;
    }
  } finally {
    host.remove();
  }
  const detail = `of ${rounds}: median ${median(ms).toFixed(0)} ms`;
  return figureRow('program gone after its thread failed, slowest', Math.max(...ms), 'ms', { most: 100 }, detail);
}
