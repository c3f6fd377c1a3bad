import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_NETWORK } from '@chirality/domain';
import { createAgentSdk } from '../src/harness/agent-sdk/agent-sdk';
import { sdkVersion } from '../src/harness/agent-sdk/sdk-package';
import { claudeProgram } from '../src/harness/claude-code/claude-program';
import type { HarnessProcess, HarnessSpec } from '../src/harness/harness';
import { createSandbox } from '../src/sandbox/setup/create-sandbox';
import { stillRunning, treeWhenKilled } from '../test/process-tree';
import { failingThread } from '../test/sdk-threads';
import { figureRow, type Row } from './report';
import { median } from './statistics';

const SPEC: HarnessSpec = {
  model: 'sonnet',
  permissionMode: 'default',
  maxTurns: 1,
  tools: 'default',
  disallowedTools: [],
  network: NO_NETWORK,
  resume: null,
};

/** From the decision to end a program whose thread failed until no process of it is left. */
export async function measureThreadEnd(rounds: number): Promise<Row> {
  const directory = mkdtempSync('/tmp/chi-bench-');
  const ms: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const process = start(directory);
      const { tree, atMs } = await treeWhenKilled(process.sandboxed);
      while (stillRunning(tree).length > 0) await delay(1);
      ms.push(performance.now() - atMs);
      await process.exited;
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const detail = `of ${rounds}: median ${median(ms).toFixed(0)} ms`;
  return figureRow('program gone after its thread failed, slowest', Math.max(...ms), 'ms', { most: 100 }, detail);
}

/** The real program in its sandbox, with a thread that fails as soon as it has said what it would start. */
function start(directory: string): HarnessProcess {
  for (const name of ['run', 'workspace', 'config']) mkdirSync(join(directory, name), { recursive: true });
  const prompt = join(directory, 'prompt.md');
  writeFileSync(prompt, 'Be brief.');
  const sandbox = createSandbox({
    mode: 'bubblewrap',
    production: true,
    runDir: join(directory, 'run'),
    searchPath: process.env['PATH'] ?? '',
    program: claudeProgram(),
  });
  const started = createAgentSdk(failingThread('started', 'throws')).start(SPEC, {
    gatewayToken: 'token',
    author: { name: 'Ada', email: 'ada@example.org' },
    version: sdkVersion(),
    backlog: { isFull: () => false, whenDrained: async () => undefined },
    spawn: ({ program, args, env, promptFile }) =>
      sandbox.spawn({
        profile: 'agent',
        paths: {
          workspace: join(directory, 'workspace'),
          config: join(directory, 'config'),
          extraReadOnly: [[prompt, promptFile]],
        },
        command: [program, ...args],
        env,
      }),
  });
  return started.process;
}
