import { GLOBAL_GIT_CONFIG } from '../../workspace/git-programs';
import { gitAuthorEnvironment } from '../../workspace/git-author';

/** Paths and names inside the sandbox, the same for every session, so that a transcript resumes anywhere. */
export const INSIDE = {
  workspace: '/workspace',
  config: '/config',
  home: '/home/agent',
  modelSocket: '/run/model.sock',
  promptFile: '/opt/chirality/prompt.md',
} as const;

/** How often the program itself retries a request to the model's service before it gives up. */
const MODEL_RETRIES = 4;

/**
 * The whole environment of one `claude`, built from nothing. `gatewayToken` is worth nothing outside the gateway's
 * socket, and nothing there once its turn is over.
 */
export function claudeEnvironment(input: {
  gatewayToken: string;
  author: { name: string; email: string };
}): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: INSIDE.home,
    LANG: 'C.UTF-8',
    TMPDIR: '/tmp',
    SHELL: '/bin/bash',
    CLAUDE_CONFIG_DIR: INSIDE.config,
    // The unix socket alone would make the program speak TLS; with an http base URL it does not.
    ANTHROPIC_BASE_URL: 'http://model.gateway',
    ANTHROPIC_UNIX_SOCKET: INSIDE.modelSocket,
    ANTHROPIC_API_KEY: input.gatewayToken,
    CLAUDE_CODE_MAX_RETRIES: String(MODEL_RETRIES),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Shorter than our watch for silence, so that a command that hangs ends as a failed tool and not the turn.
    BASH_MAX_TIMEOUT_MS: '540000',
    // A background task would keep the process, and the bill, running after the answer.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    // `@/etc/passwd` in a message would be read past every permission.
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
    // The model that was chosen, priced and allowed is the one that runs; another one would be refused by the gateway.
    CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP: '1',
    // Else bash takes the program's pipes for a remote login, and runs ~/.bashrc before each command.
    SHLVL: '1',
    ...gitEnvironment(),
    ...gitAuthorEnvironment(input.author),
  };
}

/**
 * The agent may change every configuration that git reads, so what only looks must run nothing of it: no hook, because
 * the index is not written, and no watcher. Drivers and filters can have any name; `gitMayRunPrograms` looks for those.
 */
function gitEnvironment(): Record<string, string> {
  const forced = Object.entries({
    'core.fsmonitor': 'false',
    'diff.autoRefreshIndex': 'false',
    'log.showSignature': 'false',
  });
  return {
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_GLOBAL: `${INSIDE.config}/${GLOBAL_GIT_CONFIG}`,
    GIT_CONFIG_COUNT: String(forced.length),
    ...Object.fromEntries(
      forced.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
