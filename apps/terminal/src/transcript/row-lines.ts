import {
  patchOfInput,
  patchOfTool,
  type FilePatch,
  type ToolItem,
  type TranscriptRow,
  type TurnView,
} from '@chirality/domain';
import { oneLine, safeText } from '../text/safe-text';
import { firstLines, toned, type Line } from './line';
import { toolTitle } from './tool-title';

const MAX_DIFF_LINES = 24;
const MAX_OUTPUT_LINES = 6;

/** What a row of the transcript looks like. */
export function rowLines(row: TranscriptRow, columns: number): Line[] {
  switch (row.kind) {
    case 'message':
      return [{ text: '' }, ...toned(safeText(messageOf(row.turn)), columns, 'user', '> ', '  ')];
    case 'result-text':
      return toned(safeText(row.turn.resultText ?? ''), columns);
    case 'structured':
      return toned(visible(JSON.stringify(row.value, null, 2)), columns, undefined, '  ');
    case 'activity':
      return [];
    case 'turn-end':
      return endLines(row.turn, columns);
    case 'item':
      return itemLines(row, columns);
  }
}

function messageOf({ message, kind, authorName, attachments }: TurnView): string {
  const files = attachments.map(({ name }) => `[${name}]`).join(' ');
  const text = kind === 'compact' ? 'Compact the conversation' : (message ?? '');
  return `${authorName === null ? '' : `${oneLine(authorName)}: `}${text}${files === '' ? '' : `\n${files}`}`;
}

function endLines({ status, error, costUsd, stoppedBy }: TurnView, columns: number): Line[] {
  const cost = costUsd === null ? '' : ` · $${costUsd}`;
  if (status === 'completed') return [{ text: `  done${cost}`, tone: 'dim' }];
  const by = stoppedBy === null ? '' : ` by ${oneLine(stoppedBy.name)}`;
  const why = error === null ? `The turn was ${status.replace('_', ' ')}${by}.` : oneLine(error.detail);
  return toned(`${why}${cost}`, columns, status === 'interrupted' ? 'warning' : 'error', '  ');
}

function itemLines(row: Extract<TranscriptRow, { kind: 'item' }>, columns: number): Line[] {
  const { item } = row;
  switch (item.type) {
    case 'text':
      return [{ text: '' }, ...toned(safeText(item.text).trimEnd(), columns)];
    case 'thinking':
      return firstLines(toned(safeText(item.text).trim(), columns, 'dim', '  '), 4);
    case 'tool':
      return toolLines(item, columns, row.children.length);
    case 'permission':
      return toned(answerSentence(oneLine(item.tool), item.answer), columns, 'dim', '  ');
    case 'notice':
      return toned(oneLine(item.text), columns, item.level === 'info' ? 'dim' : item.level, '  ');
    case 'error':
      return toned(oneLine(item.detail), columns, 'error', '  ');
    case 'compaction':
      return [{ text: '  The conversation so far was summarised.', tone: 'dim' }];
    case 'attempt':
      return [{ text: `  Attempt ${item.attempt}`, tone: 'warning' }];
    case 'budget':
      return [{ text: `  ${item.percent} % of a budget is spent.`, tone: 'warning' }];
    case 'options':
      return [{ text: '  The session’s settings were changed.', tone: 'dim' }];
    case 'session-end':
      return [{ text: `  The session ended (${oneLine(item.reason)}).`, tone: 'dim' }];
    case 'gap':
      return [{ text: '  Something is missing here.', tone: 'warning' }];
    case 'fork':
    case 'hooks':
    case 'todo':
    case 'void':
      return [];
  }
}

const STATES: Record<ToolItem['status'], string> = {
  preparing: '…',
  running: '…',
  succeeded: '✓',
  failed: '✗ failed',
  unfinished: '? no result',
};

function toolLines(tool: ToolItem, columns: number, inside: number): Line[] {
  const tone = tool.status === 'failed' || tool.status === 'unfinished' ? 'error' : 'tool';
  const head = toned(`${toolTitle(tool.name, tool.input)} ${STATES[tool.status]}`, columns, tone, '• ', '  ');
  const within: Line[] = inside === 0 ? [] : [{ text: `  ${inside} steps of a sub-agent`, tone: 'dim' }];
  const patch = tool.status === 'failed' ? null : patchOfTool(tool);
  if (patch !== null && patch.hunks.length > 0) return [...head, ...within, ...diffLines(patch, columns)];
  const output = tool.status === 'running' ? tool.progressText : outputOf(tool.content);
  if (output === null || output.trim() === '') return [...head, ...within];
  const shown = toned(safeText(output).trimEnd(), columns, tool.status === 'failed' ? 'error' : 'dim', '  ');
  return [...head, ...within, ...firstLines(shown, MAX_OUTPUT_LINES)];
}

function outputOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content
    .flatMap((block: unknown) => {
      const text = typeof block === 'object' && block !== null ? (block as { text?: unknown }).text : undefined;
      return typeof text === 'string' ? [text] : [];
    })
    .join('\n');
}

const SIGNS = { added: '+', removed: '-', context: ' ' } as const;

/** The changed lines of a file with their signs; what is left out is counted. */
function diffLines({ path, hunks, additions, deletions }: FilePatch, columns: number, max = MAX_DIFF_LINES): Line[] {
  const head: Line = { text: `  ${oneLine(path ?? 'file')} +${additions} −${deletions}`, tone: 'dim' };
  const body = hunks.flatMap(({ lines }) =>
    lines.flatMap(({ kind, text, oldLine, newLine }): Line[] => {
      const number = String(newLine ?? oldLine ?? '').padStart(4);
      const tone = kind === 'context' ? 'dim' : kind;
      // What is decided on is seen as it is: a control character is named, never left out.
      return toned(visible(text), columns, tone, `  ${number} ${SIGNS[kind]} `, '         ');
    }),
  );
  return [head, ...firstLines(body, max)];
}

/** Every character that a terminal would obey or hide, by its number. */
export function visible(text: string): string {
  return text
    .replaceAll('\t', '    ')
    .replace(
      new RegExp('[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]', 'g'),
      (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
}

type Answer = Extract<Extract<TranscriptRow, { kind: 'item' }>['item'], { type: 'permission' }>['answer'];

function answerSentence(tool: string, answer: Answer): string {
  if (answer === null) return `${tool} waits for an answer`;
  const by = answer.by === null ? '' : ` by ${oneLine(answer.by.name)}`;
  const why = answer.reason ? `: ${oneLine(answer.reason)}` : '';
  return `${tool} was ${answer.outcome.replace('_', ' ')}${by}${why}`;
}

/** Whether a row changes no more, so that it can leave the part of the screen that is drawn again. */
export function isSettled(row: TranscriptRow): boolean {
  if (row.kind === 'activity') return false;
  if (row.kind !== 'item') return true;
  const { item } = row;
  if (item.type === 'text' || item.type === 'thinking') return item.done || isOver(row.turnStatus);
  if (item.type === 'tool') return !['preparing', 'running'].includes(item.status);
  return item.type !== 'permission' || item.answer !== null;
}

function isOver(status: TurnView['status']): boolean {
  return ['completed', 'failed', 'interrupted', 'timed_out', 'cancelled', 'lost'].includes(status);
}

/** What a permission request is about, with everything that it would do. */
export function requestLines(tool: string, input: unknown, columns: number, max: number): Line[] {
  const patch = patchOfInput(tool, input);
  if (patch !== null) return diffLines(patch, columns, max);
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const plain = ['command', 'plan'].map((name) => fields[name]).find((value) => typeof value === 'string');
  const text = typeof plain === 'string' ? plain : JSON.stringify(input, null, 2);
  return firstLines(toned(visible(text ?? ''), columns, undefined, '  '), max);
}
