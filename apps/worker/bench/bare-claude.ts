import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_NETWORK } from '@chirality/domain';
import { newGatewayToken } from '../src/gateway/gateway-token';
import { claudeArguments, type ClaudeLaunch } from '../src/harness/claude-code/claude-arguments';
import { claudeEnvironment, INSIDE as CLAUDE_INSIDE } from '../src/harness/claude-code/claude-environment';
import { CLAUDE_PROGRAM, claudeProgram } from '../src/harness/claude-code/claude-program';
import { SEALED_CONFIG } from '../src/harness/claude-code/config-places';
import { createSandbox } from '../src/sandbox/setup/create-sandbox';
import type { Sandbox } from '../src/sandbox/sandbox';
import { cpuSecondsOfChildren } from './cpu-time';

export type BareRun = { firstTextMs: number; finalMs: number; cpuSeconds: number; text: string };

/** As `ClaudeProcess.initialize` writes it. */
const INITIALIZE = {
  type: 'control_request',
  request_id: 'bench-1',
  request: {
    subtype: 'initialize',
    hooks: { PreToolUse: [{ hookCallbackIds: ['pre-tool-use'], onFailure: 'block' }] },
  },
};

/** The bare program to compare with: the same flags, environment and sandbox, and nothing of ours around it. */
export class BareClaude {
  private readonly root = mkdtempSync(join(tmpdir(), 'chirality-bare-'));
  private readonly sandbox: Sandbox = createSandbox({
    mode: 'bubblewrap',
    production: false,
    runDir: this.directory('run'),
    searchPath: process.env['PATH'] ?? '',
    program: claudeProgram(),
  });
  private readonly promptFile = join(this.root, 'prompt.md');

  /** `modelSocket`: a unix socket at which the model answers any token. */
  constructor(
    private readonly modelSocket: string,
    private readonly model: string,
  ) {
    writeFileSync(this.promptFile, 'Be brief.');
  }

  /** `callback`: with the one wish that every process of ours begins with, to be asked before each tool. */
  async run(message: string, { callback = false } = {}): Promise<BareRun> {
    const workspace = this.directory(`w${Math.random().toString(36).slice(2)}`);
    const config = this.directory(`c${Math.random().toString(36).slice(2)}`);
    const launch: ClaudeLaunch = {
      model: this.model,
      permissionMode: 'default',
      maxTurns: 25,
      tools: 'default',
      disallowedTools: [],
      network: NO_NETWORK,
      promptFile: CLAUDE_INSIDE.promptFile,
      resume: null,
    };
    const cpuBefore = cpuSecondsOfChildren();
    const startedAt = performance.now();
    const child = this.sandbox.spawn({
      profile: 'agent',
      paths: {
        workspace,
        config,
        modelSocket: this.modelSocket,
        extraReadOnly: [[this.promptFile, CLAUDE_INSIDE.promptFile]],
        sealed: SEALED_CONFIG,
      },
      command: [CLAUDE_PROGRAM, ...claudeArguments(launch)],
      env: claudeEnvironment({
        gatewayToken: newGatewayToken(),
        author: { name: 'Bench', email: 'bench@example.com' },
      }),
    });
    if (callback) child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    child.stdin.write(
      `${JSON.stringify({ type: 'user', message: { role: 'user', content: message }, parent_tool_use_id: null, session_id: '', client_composed: true })}\n`,
    );
    const read = await readAnswer(child.stdout, startedAt);
    // While it still lives: the time of a sandbox's init without a waiting parent is not counted.
    const cpuSeconds = cpuSecondsOfChildren() - cpuBefore;
    child.stdin.end();
    await child.exited;
    return { ...read, cpuSeconds };
  }

  private directory(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }
}

async function readAnswer(
  stdout: NodeJS.ReadableStream,
  startedAt: number,
): Promise<{ firstTextMs: number; finalMs: number; text: string }> {
  let open = '';
  let firstTextMs = Number.NaN;
  let text = '';
  for await (const chunk of stdout) {
    const lines = (open + String(chunk)).split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) {
      const record = JSON.parse(line) as {
        type: string;
        event?: { type?: string; delta?: { text?: string } };
        result?: string;
      };
      const delta =
        record.type === 'stream_event' && record.event?.type === 'content_block_delta'
          ? record.event.delta?.text
          : undefined;
      if (delta !== undefined) {
        if (Number.isNaN(firstTextMs)) firstTextMs = performance.now() - startedAt;
        text += delta;
      }
      if (record.type === 'result') return { firstTextMs, finalMs: performance.now() - startedAt, text };
    }
  }
  throw new Error('the bare program gave no result');
}
