/** The tool by which the program has the model hand over an answer by a schema. */
export const ANSWERING_TOOL = 'StructuredOutput';

/** Tools that cannot change a file, run a program or reach a host. Everything else counts as mutating. */
const NON_MUTATING = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'Ls',
  'WebFetch',
  'WebSearch',
  'TaskGet',
  'TaskList',
  ANSWERING_TOOL,
]);

/** Tools that only read, or only change the conversation's own bookkeeping. */
const QUIET_TOOLS = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'Ls',
  'TodoWrite',
  'Task',
  'Agent',
  'TaskCreate',
  'TaskUpdate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'ToolSearch',
  'ListAgents',
  'EnterPlanMode',
  ANSWERING_TOOL,
]);

const READS = new Set(['Read', 'Glob', 'Grep', 'LS', 'Ls']);
/** Those that search a directory, and the current one when none is named. */
const SEARCHES = new Set(['Glob', 'Grep', 'LS', 'Ls']);
const FILE_EDITS = new Set(['Edit', 'Write', 'NotebookEdit', 'MultiEdit']);
const NETWORK_TOOLS = new Set(['WebFetch', 'WebSearch']);
const PEOPLE_TOOLS = new Set(['AskUserQuestion', 'ExitPlanMode']);

/**
 * Whether a call of that tool may have changed something, so that it is never run again automatically. Bash always
 * counts.
 */
export function isMutatingTool(name: string): boolean {
  return !NON_MUTATING.has(name);
}

export const isQuietTool = (name: string): boolean => QUIET_TOOLS.has(name);
export const isFileRead = (name: string): boolean => READS.has(name);
export const isSearch = (name: string): boolean => SEARCHES.has(name);
export const isFileEdit = (name: string): boolean => FILE_EDITS.has(name);
export const isNetworkTool = (name: string): boolean => NETWORK_TOOLS.has(name);

/** Tools whose whole purpose is a person's answer. */
export const asksPeople = (name: string): boolean => PEOPLE_TOOLS.has(name);
