import { argumentsByFlag } from './program-arguments';
import type { QueryStart } from './thread/thread-protocol';
import type { SpawnRequest } from './spawn-judge';

/** What the SDK would add to the environment, so that it has nothing left to add. */
export function sdkVariables(version: string): Record<string, string> {
  return {
    CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
    CLAUDE_AGENT_SDK_VERSION: version,
    CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
    BUN_ENABLE_CRASH_REPORTING: '0',
  };
}

/** Said to the SDK instead of what opens the way to the model. */
const WITHHELD = 'withheld';
const SECRETS: readonly string[] = ['ANTHROPIC_API_KEY'];

/** The environment as the thread may know it. */
export function withoutSecrets(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, SECRETS.includes(name) ? WITHHELD : value]),
  );
}

/** Flags that the SDK passes because of how it is called, not because of an option. */
const ALWAYS: ReadonlySet<string> = new Set([
  '-p',
  '--output-format',
  '--input-format',
  '--verbose',
  '--permission-prompt-tool',
  '--setting-sources',
  '--strict-mcp-config',
  '--include-partial-messages',
]);

const list = (value: string | null): string[] => (value === null || value === '' ? [] : value.split(','));
const text = (value: string | null): string => value ?? '';

/** Options of the SDK by the flag that it makes of them. */
const OPTIONS: Readonly<Record<string, readonly [name: string, read: (value: string | null) => unknown]>> = {
  '--model': ['model', text],
  '--effort': ['effort', text],
  '--max-turns': ['maxTurns', Number],
  '--permission-mode': ['permissionMode', text],
  '--tools': ['tools', list],
  '--disallowedTools': ['disallowedTools', list],
  '--resume': ['resume', text],
  '--settings': ['settings', text],
  '--json-schema': ['outputFormat', (value) => ({ type: 'json_schema', schema: JSON.parse(text(value)) as unknown })],
};

/**
 * How `query()` is called so that it would start just this program. A flag that no option stands for goes as it is;
 * what comes of it is compared with what was started in any case.
 */
export function queryStart({ command, args, cwd, env }: SpawnRequest & { cwd: string }): QueryStart {
  const options: Record<string, unknown> = {
    settingSources: [],
    strictMcpConfig: true,
    includePartialMessages: true,
    // The program's own prompt. What is appended to it is a file, which an argument names.
    systemPrompt: { type: 'preset', preset: 'claude_code' },
  };
  const extraArgs: Record<string, string | null> = {};
  for (const [flag, value] of argumentsByFlag(args) ?? []) {
    const option = OPTIONS[flag];
    if (option) options[option[0]] = option[1](value);
    else if (!ALWAYS.has(flag)) extraArgs[flag.replace(/^--/, '')] = value;
  }
  return { pathToClaudeCodeExecutable: command, cwd, env: { ...env }, options: { ...options, extraArgs } };
}
