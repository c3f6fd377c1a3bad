import type { ToolItem } from '@chirality/domain';

export type ToolKind = 'read' | 'edit' | 'run' | 'agent' | 'web' | 'plan' | 'other';

type ToolSummary = {
  kind: ToolKind;
  /** The tool, as a person calls it. */
  verb: string;
  /** What it is about, in one line: a path, a command, a pattern. */
  subject: string;
  /** More, where there is room. */
  detail: string | null;
  isCommand: boolean;
};

type Input = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const firstLine = (value: unknown): string => {
  const [first, ...more] = text(value).trim().split('\n');
  return more.length === 0 ? first! : `${first} …`;
};

/** A path as it is seen from the workspace. */
export function shortPath(path: string, cwd: string | null): string {
  return cwd !== null && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function lines({ offset, limit }: Input): string | null {
  if (typeof offset !== 'number' && typeof limit !== 'number') return null;
  const from = typeof offset === 'number' ? offset : 1;
  return typeof limit === 'number' ? `lines ${from}–${from + limit - 1}` : `from line ${from}`;
}

function within(input: Input, cwd: string | null): string | null {
  const place = text(input.path) || text(input.glob);
  return place === '' ? null : `in ${shortPath(place, cwd)}`;
}

function compact(input: unknown): string {
  if (input === null || input === undefined) return '';
  const shown = JSON.stringify(input);
  return shown === '{}' ? '' : shown.slice(0, 200);
}

/** What one line says of a tool, whether its input is whole or still on its way. */
export function summariseTool(tool: Pick<ToolItem, 'name' | 'input'>, cwd: string | null): ToolSummary {
  const name = tool.name ?? 'Tool';
  const input: Input =
    typeof tool.input === 'object' && tool.input !== null && !Array.isArray(tool.input) ? (tool.input as Input) : {};
  const path = shortPath(text(input.file_path) || text(input.notebook_path) || text(input.path), cwd);
  const is = (
    kind: ToolKind,
    verb: string,
    subject: string,
    detail: string | null = null,
    isCommand = false,
  ): ToolSummary => ({ kind, verb, subject, detail, isCommand });

  switch (name) {
    case 'Bash':
      return is('run', '$', firstLine(input.command), text(input.description) || null, true);
    case 'Read':
      return is('read', 'Read', path, lines(input));
    case 'Edit':
    case 'MultiEdit':
    case 'NotebookEdit':
      return is('edit', 'Edit', path);
    case 'Write':
      return is('edit', 'Write', path);
    case 'Glob':
      return is('read', 'Find', text(input.pattern), within(input, cwd));
    case 'Grep':
      return is('read', 'Search', text(input.pattern), within(input, cwd));
    case 'LS':
      return is('read', 'List', path);
    case 'WebFetch':
      return is('web', 'Fetch', text(input.url));
    case 'WebSearch':
      return is('web', 'Search the web', text(input.query));
    case 'Task':
    case 'Agent':
      return is(
        'agent',
        'Agent',
        text(input.description) || firstLine(input.prompt),
        text(input.subagent_type) || null,
      );
    case 'TaskCreate':
      return is('plan', 'New task', text(input.subject));
    case 'TaskUpdate':
      return is('plan', 'Task', `#${text(input.taskId)} ${text(input.status).replace('_', ' ')}`.trim());
    case 'TaskList':
    case 'TaskGet':
    case 'TodoWrite':
      return is('plan', 'Tasks', '');
    case 'AskUserQuestion':
      return is('plan', 'Question', questionsOf(input)[0] ?? '');
    case 'ExitPlanMode':
    case 'EnterPlanMode':
      return is('plan', 'Plan', firstLine(input.plan));
    default: {
      const mcp = /^mcp__(.+?)__(.+)$/.exec(name);
      return is('other', mcp === null ? name : `${mcp[1]!} · ${mcp[2]!}`, compact(tool.input));
    }
  }
}

function questionsOf(input: Input): string[] {
  return Array.isArray(input.questions)
    ? input.questions.map((question) => text((question as Input | null)?.question))
    : [];
}
