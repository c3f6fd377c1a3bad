import { askedFor, claudeCode, claudeCommand } from '../claude-code/claude-code';
import { INSIDE } from '../claude-code/claude-environment';
import type { Harness } from '../harness';
import { AgentSdkProcess } from './agent-sdk-process';
import { sdkVariables, withoutSecrets } from './query-start';
import { sdkVersion } from './sdk-package';
import { ThreadLink, type ThreadSettings } from './thread/thread-link';
import { ThreadReserve } from './thread/thread-reserve';

/** The same program, spoken to by the Agent SDK in a thread; one of these, where they are not set up otherwise. */
export function createAgentSdk(settings?: ThreadSettings): Harness {
  const reserve = new ThreadReserve();
  const takeThread = () => (settings === undefined ? reserve.take() : new ThreadLink(settings));
  return {
    name: 'agent-sdk',
    keptConfig: claudeCode.keptConfig,
    findVersion: async (sandbox) => {
      const version = sdkVersion();
      return version !== null && (await claudeCode.findVersion(sandbox)) !== null ? version : null;
    },
    argumentsFor: (spec) => claudeCode.argumentsFor(spec),
    start: (spec, environment) => {
      const { version, backlog, spawn } = environment;
      const claude = claudeCommand(spec, environment);
      const command = { ...claude, env: { ...claude.env, ...sdkVariables(version ?? '') } };
      const sandboxed = spawn(command);
      const { program, args, env } = command;
      const started = { command: program, args, cwd: INSIDE.workspace, env: withoutSecrets(env) };
      const requestedSessionId = spec.resume;
      try {
        const options = { asked: askedFor(spec), requestedSessionId, backlog, started, thread: takeThread() };
        return { process: new AgentSdkProcess(sandboxed, options), command };
      } catch (error) {
        // No thread could be made: nothing but this knows the process.
        sandboxed.killTree();
        throw error;
      }
    },
  };
}
