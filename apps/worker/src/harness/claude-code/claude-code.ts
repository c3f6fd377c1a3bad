import type { Harness, HarnessCommand, HarnessEnvironment, HarnessSpec } from '../harness';
import type { AskedFor } from '../harness-output';
import { claudeArguments, toolsAskedFor } from './claude-arguments';
import { claudeEnvironment, INSIDE } from './claude-environment';
import { ClaudeProcess } from './claude-process';
import { CLAUDE_PROGRAM } from './claude-program';
import { readClaudeVersion } from './claude-version';
import { KEPT_CONFIG, SEALED_CONFIG } from './config-places';

/** The program itself, without a terminal. */
export const claudeCode: Harness = {
  name: 'claude-code',
  keptConfig: KEPT_CONFIG,
  findVersion: (sandbox) => readClaudeVersion(sandbox),
  argumentsFor,
  start: (spec, environment) => {
    const { version, backlog, spawn } = environment;
    const command = claudeCommand(spec, environment);
    const sandboxed = spawn(command);
    const asked = { ...askedFor(spec), version };
    const requestedSessionId = spec.resume;
    return { process: new ClaudeProcess(sandboxed, { asked, requestedSessionId, backlog }), command };
  },
};

/** How `claude` is started, whatever speaks to it. */
export function claudeCommand(
  spec: HarnessSpec,
  { gatewayToken, author }: Pick<HarnessEnvironment, 'gatewayToken' | 'author'>,
): HarnessCommand {
  return {
    program: CLAUDE_PROGRAM,
    args: argumentsFor(spec),
    env: claudeEnvironment({ gatewayToken, author }),
    promptFile: INSIDE.promptFile,
    sealed: SEALED_CONFIG,
  };
}

/** What the program should then say of itself. */
export function askedFor(spec: HarnessSpec): AskedFor {
  const { model, permissionMode } = spec;
  return { cwd: INSIDE.workspace, permissionMode, model, tools: toolsAskedFor(spec) };
}

function argumentsFor(spec: HarnessSpec): string[] {
  return claudeArguments({ ...spec, promptFile: INSIDE.promptFile });
}
