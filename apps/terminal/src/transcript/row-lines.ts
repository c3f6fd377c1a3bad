import { patchOfTool, type ToolItem, type TranscriptRow, type TurnView } from '@chirality/domain';
import { oneLine, safe, safeText, visible, type SafeText } from '../text/safe-text';
import { diffLines } from './diff-lines';
import { firstLines, toned, type Line } from './line';
import { toolTitle } from './tool-title';

const MAX_OUTPUT_LINES = 6;

/** What a row of the transcript looks like. */
export function rowLines(row: TranscriptRow, columns: number): Line[] {
  switch (row.kind) {
    case 'message':
      return [{ text: safe`` }, ...toned(safeText(messageOf(row.turn)), columns, 'user', '> ', '  ')];
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
  const cost = costUsd === null ? safe`` : safe` · $${oneLine(costUsd)}`;
  if (status === 'completed') return [{ text: safe`  done${cost}`, tone: 'dim' }];
  const by = stoppedBy === null ? '' : ` by ${oneLine(stoppedBy.name)}`;
  const why = error === null ? `The turn was ${status.replace('_', ' ')}${by}.` : oneLine(error.detail);
  return toned(safeText(`${why}${cost}`), columns, status === 'interrupted' ? 'warning' : 'error', '  ');
}

function itemLines(row: Extract<TranscriptRow, { kind: 'item' }>, columns: number): Line[] {
  const { item } = row;
  switch (item.type) {
    case 'text':
      return [{ text: safe`` }, ...toned(safeText(safeText(item.text).trimEnd()), columns)];
    case 'thinking':
      return firstLines(toned(safeText(safeText(item.text).trim()), columns, 'dim', '  '), 4);
    case 'tool':
      return toolLines(item, columns, row.children.length);
    case 'permission':
      return toned(answerSentence(oneLine(item.tool), item.answer), columns, 'dim', '  ');
    case 'notice':
      return toned(oneLine(item.text), columns, item.level === 'info' ? 'dim' : item.level, '  ');
    case 'error':
      return toned(oneLine(item.detail), columns, 'error', '  ');
    case 'compaction':
      return [{ text: safe`  The conversation so far was summarised.`, tone: 'dim' }];
    case 'attempt':
      return [{ text: safe`  Attempt ${item.attempt}`, tone: 'warning' }];
    case 'budget':
      return [{ text: safe`  ${item.percent} % of a budget is spent.`, tone: 'warning' }];
    case 'options':
      return [{ text: safe`  The session’s settings were changed.`, tone: 'dim' }];
    case 'session-end':
      return [{ text: safe`  The session ended (${oneLine(item.reason)}).`, tone: 'dim' }];
    case 'gap':
      return [{ text: safe`  Something is missing here.`, tone: 'warning' }];
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
  const head = toned(safeText(`${toolTitle(tool.name, tool.input)} ${STATES[tool.status]}`), columns, tone, '• ', '  ');
  const within: Line[] = inside === 0 ? [] : [{ text: safe`  ${inside} steps of a sub-agent`, tone: 'dim' }];
  const patch = tool.status === 'failed' ? null : patchOfTool(tool);
  if (patch !== null && patch.hunks.length > 0) return [...head, ...within, ...diffLines(patch, columns)];
  const output = tool.status === 'running' ? tool.progressText : outputOf(tool.content);
  if (output === null || output.trim() === '') return [...head, ...within];
  const shown = toned(safeText(safeText(output).trimEnd()), columns, tool.status === 'failed' ? 'error' : 'dim', '  ');
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

type Answer = Extract<Extract<TranscriptRow, { kind: 'item' }>['item'], { type: 'permission' }>['answer'];

function answerSentence(tool: SafeText, answer: Answer): SafeText {
  if (answer === null) return safe`${tool} waits for an answer`;
  const by = answer.by === null ? '' : ` by ${oneLine(answer.by.name)}`;
  const why = answer.reason ? `: ${oneLine(answer.reason)}` : '';
  return safeText(`${tool} was ${answer.outcome.replace('_', ' ')}${by}${why}`);
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
