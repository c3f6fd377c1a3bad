import type { Harness, HarnessSpec } from '../harness';
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
  start: (spec, { gatewayToken, author, version, backlog, spawn }) => {
    const { promptFile } = INSIDE;
    const command = {
      program: CLAUDE_PROGRAM,
      args: argumentsFor(spec),
      env: claudeEnvironment({ gatewayToken, author }),
      promptFile,
      sealed: SEALED_CONFIG,
    };
    const sandboxed = spawn(command);
    const { model, permissionMode, resume } = spec;
    const asked = { cwd: INSIDE.workspace, permissionMode, model, tools: toolsAskedFor(spec), version };
    return { process: new ClaudeProcess(sandboxed, { asked, requestedSessionId: resume, backlog }), command };
  },
};

function argumentsFor(spec: HarnessSpec): string[] {
  return claudeArguments({ ...spec, promptFile: INSIDE.promptFile });
}
