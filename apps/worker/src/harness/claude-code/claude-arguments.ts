import { ANSWERING_TOOL, type ToolNetwork } from '@chirality/domain';
import type { HarnessSpec } from '../harness';

/**
 * Tools that a session has unless its options narrow them: no schedulers, no worktrees, no messaging between agents.
 */
export const DEFAULT_TOOLS = [
  'Task',
  'Bash',
  'Edit',
  'Glob',
  'Grep',
  'NotebookEdit',
  'Read',
  'Write',
  'Skill',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'TaskStop',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
] as const;

/** Tools that reach out of the sandbox: the first through the proxy, the second by the model's service. */
const NETWORK_TOOLS = {
  WebFetch: ({ hosts }: ToolNetwork) => hosts.length > 0,
  WebSearch: ({ webSearch }: ToolNetwork) => webSearch,
} as const;

/** `promptFile`: path of the appended system prompt as the process sees it. */
export type ClaudeLaunch = HarnessSpec & { promptFile: string };

/**
 * What writes to the program's output may name a conversation as it likes, and `--resume` takes no value that begins
 * like a flag.
 */
const CONVERSATION_ID = /^[A-Za-z0-9][\w-]*$/;

/**
 * The arguments of one `claude`, without the program itself. Everything a person wrote goes by stdin or by the
 * prompt file, so no value here can be taken for a flag. `--session-id` is never passed: a second start with the same
 * one fails with nothing on stdout. No rule is passed as `--allowedTools`: our PreToolUse callback decides.
 */
export function claudeArguments(launch: ClaudeLaunch): string[] {
  const disallowed = disallowedTools(launch);
  return [
    '-p',
    ...['--output-format', 'stream-json'],
    ...['--input-format', 'stream-json'],
    '--include-partial-messages',
    '--verbose',
    ...['--permission-prompt-tool', 'stdio'],
    // Without any settings source a repository's hooks, base URL, key helper and MCP servers have no effect.
    ...['--setting-sources', ''],
    '--strict-mcp-config',
    ...['--settings', JSON.stringify(settingsOf(launch))],
    // Else the first turn's appended prompt would stay for the whole conversation.
    ...['--system-prompt-snapshot', 'off'],
    ...['--append-system-prompt-file', launch.promptFile],
    // The model sticks to a conversation, so it is said on every turn.
    ...['--model', launch.model],
    // It does not stick to a conversation, so it is said on every start.
    ...(launch.effort === undefined ? [] : ['--effort', launch.effort]),
    ...['--max-turns', String(launch.maxTurns)],
    ...['--permission-mode', launch.permissionMode],
    // In `initialize` too it is taken from the first message on for good, and the Agent SDK says it here.
    ...(launch.outputSchema === undefined ? [] : ['--json-schema', JSON.stringify(launch.outputSchema)]),
    ...['--tools', wantedTools(launch).join(',')],
    ...(disallowed.length === 0 ? [] : ['--disallowedTools', disallowed.join(',')]),
    ...(launch.resume === null || !CONVERSATION_ID.test(launch.resume) ? [] : ['--resume', launch.resume]),
  ];
}

/**
 * They hold for this process alone, so every start says them again. Our callback stays; what the program finds on the
 * disk and would run beside it, or in front of it, does not.
 */
function settingsOf({ network }: HarnessSpec): Record<string, true> {
  return {
    disableAllHooks: true,
    disableSkillShellExecution: true,
    // The program would ask its maker's service about each host, which the list does not hold; the list has the say
    // here.
    ...(network.hosts.length === 0 ? {} : { skipWebFetchPreflight: true }),
  };
}

/** The tools that the program should say it has, once what is taken away is taken away. */
export function toolsAskedFor(launch: HarnessSpec): string[] {
  const disallowed = new Set(disallowedTools(launch));
  const wanted = wantedTools(launch).filter((tool) => !disallowed.has(tool));
  return launch.outputSchema === undefined ? wanted : [...wanted, ANSWERING_TOOL];
}

/** Options stored before their names were checked may hold one that the program would read as a flag. */
function wantedTools({ tools, network }: HarnessSpec): string[] {
  return tools === 'default' ? [...DEFAULT_TOOLS, ...networkTools(network)[0]] : tools.filter(isNoFlag);
}

function disallowedTools(launch: HarnessSpec): string[] {
  return [...new Set([...networkTools(launch.network)[1], ...launch.disallowedTools.filter(isNoFlag)])];
}

function isNoFlag(tool: string): boolean {
  return !tool.startsWith('-');
}

function networkTools(network: ToolNetwork): [offered: string[], withheld: string[]] {
  const [offered, withheld]: [string[], string[]] = [[], []];
  for (const [tool, isOpen] of Object.entries(NETWORK_TOOLS)) (isOpen(network) ? offered : withheld).push(tool);
  return [offered, withheld];
}
