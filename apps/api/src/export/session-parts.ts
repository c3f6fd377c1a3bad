import type { Session } from '@chirality/contracts';
import {
  handsOverAnswer,
  type PermissionItem,
  type ToolItem,
  type TranscriptItem,
  type TurnView,
} from '@chirality/domain';

/** What a reader of an exported session gets to see, in order, before it has a form. All of it is plain text. */
export type Part =
  | { type: 'said'; text: string }
  | { type: 'answer'; text: string }
  | { type: 'folded'; title: string; text: string; language: string }
  | { type: 'note'; text: string };

export type ExportedTurn = { title: string; facts: string; parts: Part[] };
export type SessionHeading = { title: string; facts: readonly string[] };

/** Of one tool's input or result: beyond it an export would be a dump. */
const MAX_TOOL_CHARS = 20_000;

/** What stands above the turns. `through` is the last event that is in the export. */
export function headingOf(session: Session, projectName: string, through: number, at: Date): SessionHeading {
  return {
    title: session.title === '' ? 'Session' : session.title,
    facts: [
      `Project: ${projectName}`,
      `Session: ${session.id}, begun ${session.createdAt}`,
      `Exported ${at.toISOString()}, events 1 to ${through}`,
    ],
  };
}

/** One turn; null for what belongs to no turn and says nothing that a reader wants. */
export function turnParts(turn: TurnView, number: number): ExportedTurn | null {
  const parts = turn.items.filter((item) => item.type !== 'tool' || !handsOverAnswer(item, turn)).flatMap(partsOf);
  if (turn.kind === 'system') return parts.length === 0 ? null : { title: 'Between turns', facts: '', parts };
  const said: Part[] = turn.message === null || turn.message === '' ? [] : [{ type: 'said', text: turn.message }];
  const attached: Part[] = turn.attachments.map(({ name }) => ({ type: 'note', text: `Attached: ${name}` }));
  const asked = turn.outputSchema === null ? [] : [json('The answer has to follow this schema', turn.outputSchema)];
  const structured = turn.structured === null ? [] : [json('The answer by the schema', turn.structured)];
  const ended: Part[] = turn.error === null ? [] : [{ type: 'note', text: `${turn.error.code}: ${turn.error.detail}` }];
  return {
    title: `${number}. ${turn.authorName ?? (turn.authorClass === 'agent' ? 'An agent' : 'A member')}`,
    facts: [turn.queuedAt, turn.status, turn.model, turn.costUsd === null ? null : `${turn.costUsd} USD`]
      .filter((fact) => fact !== null)
      .join(' · '),
    parts: [...said, ...attached, ...asked, ...parts, ...structured, ...ended],
  };
}

function partsOf(item: TranscriptItem): Part[] {
  const under = item.parent === null ? '' : 'Sub-agent: ';
  switch (item.type) {
    case 'text':
      if (item.text.trim() === '') return [];
      return under === '' ? [{ type: 'answer', text: item.text }] : [folded(`${under}said`, item.text)];
    case 'thinking':
      return item.text.trim() === '' ? [] : [folded(`${under}Thinking`, item.text)];
    case 'tool':
      return toolParts(item, under);
    case 'permission':
      return [{ type: 'note', text: permissionSentence(item) }];
    case 'todo':
      return [folded('Tasks', item.items.map(({ status, text }) => `[${TASK_MARKS[status]}] ${text}`).join('\n'))];
    case 'notice':
      return [{ type: 'note', text: item.text }];
    case 'error':
      return [{ type: 'note', text: `${item.code}: ${item.detail}` }];
    case 'compaction':
      return [{ type: 'note', text: 'The conversation was compacted.' }];
    case 'attempt':
      return [{ type: 'note', text: `Attempt ${item.attempt}` }];
    case 'gap':
      return [{ type: 'note', text: `Events ${item.from} to ${item.to} are not kept any longer: ${item.reason}` }];
    case 'budget':
      return [
        { type: 'note', text: `${item.percent} % of a budget are spent: ${item.spentUsd} of ${item.limitUsd} USD` },
      ];
    case 'fork':
    case 'session-end':
    case 'options':
    case 'hooks':
    case 'void':
      return [];
  }
}

const TASK_MARKS = { pending: ' ', in_progress: '~', completed: 'x' } as const;

/** The whole of it: it is what was asked for. */
const json = (title: string, value: unknown): Part => ({
  type: 'folded',
  title,
  text: JSON.stringify(value, null, 2),
  language: 'json',
});

const folded = (title: string, text: string, language = ''): Part => ({
  type: 'folded',
  title,
  text: cut(text),
  language,
});

function toolParts(item: ToolItem, under: string): Part[] {
  const took = item.durationMs === null ? '' : ` in ${item.durationMs} ms`;
  const name = item.name ?? 'a tool';
  const input = folded(`${under}${name} ${item.status}${took}`, readable(item.input), 'json');
  const content = readable(item.content);
  return content === '' ? [input] : [input, folded(`${under}Result of ${name}`, content)];
}

function permissionSentence({ tool, answer }: PermissionItem): string {
  if (answer === null) return `Permission for ${tool} was asked for and not answered yet.`;
  const by = answer.by === null ? '' : ` by ${answer.by.name}`;
  const why = answer.reason === null || answer.reason === '' ? '' : ` (${answer.reason})`;
  return `Permission for ${tool}: ${answer.outcome.replace('_', ' ')}${by}${why}`;
}

/** The text of a value that a tool took or gave: its text blocks, or the value as JSON. */
function readable(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every(isTextBlock)) return value.map(({ text }) => text).join('\n');
  return JSON.stringify(value, null, 2);
}

function isTextBlock(value: unknown): value is { text: string } {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}

function cut(text: string): string {
  if (text.length <= MAX_TOOL_CHARS) return text;
  const kept = text.slice(0, MAX_TOOL_CHARS).toWellFormed();
  return `${kept}\n… ${text.length - MAX_TOOL_CHARS} more characters are in the session.`;
}
