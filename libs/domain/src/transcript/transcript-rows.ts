import type { TurnStatus } from '@chirality/contracts';
import { ANSWERING_TOOL } from '../permission/tool-classes';
import { activityOf } from './turn-activity';
import {
  hasEnded,
  type PermissionItem,
  type ToolItem,
  type TranscriptItem,
  type TranscriptState,
  type TurnView,
} from './transcript-state';

/** One row of the reading view. A sub-agent's items are the children of the tool that began it. */
export type ItemRow = {
  kind: 'item';
  key: string;
  turnId: string;
  turnStatus: TurnStatus;
  item: TranscriptItem;
  /** The request that a tool's use had to wait for. */
  permission: PermissionItem | null;
  /** The tool that put a question or a plan, which are shown instead of it. */
  tool: ToolItem | null;
  children: ItemRow[];
};
export type TranscriptRow =
  | { kind: 'message'; key: string; turn: TurnView }
  | ItemRow
  | { kind: 'result-text'; key: string; turn: TurnView }
  | { kind: 'structured'; key: string; turn: TurnView; value: Record<string, unknown> }
  | { kind: 'activity'; key: string; turn: TurnView }
  | { kind: 'turn-end'; key: string; turn: TurnView };

const NO_ROWS: ItemRow[] = [];

/** Tools whose whole effect is the list of tasks, which is shown itself. */
const TASK_TOOLS = new Set(['TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet', 'TodoWrite']);

/** Whether a tool is only how a turn's answer by its schema came, which is shown itself. */
export function handsOverAnswer({ name, status }: ToolItem, turn: TurnView): boolean {
  return turn.structured !== null && status === 'succeeded' && name === ANSWERING_TOOL;
}

type Permissions = ReadonlyMap<string, PermissionItem>;

function isShown(item: TranscriptItem, turn: TurnView, permissions: Permissions): boolean {
  switch (item.type) {
    case 'tool': {
      const permission = item.permissionKey === null ? undefined : permissions.get(item.permissionKey);
      if (permission !== undefined && permission.kind !== 'tool') return false;
      if (handsOverAnswer(item, turn)) return false;
      return !(item.status === 'succeeded' && TASK_TOOLS.has(item.name ?? '') && turn.index.todo !== undefined);
    }
    case 'void':
      return false;
    case 'text':
    case 'thinking':
      return item.text.trim() !== '' || !item.done;
    case 'permission':
      return item.kind !== 'tool' || turn.index[`tool:${item.toolUseId}`] === undefined;
    // An idle session continues with its next message.
    case 'session-end':
      return item.reason !== 'idle' && item.reason !== 'shutdown';
    case 'error':
      return turn.error?.code !== item.code;
    default:
      return true;
  }
}

function toolOf(turn: TurnView, permission: PermissionItem): ToolItem | null {
  const at = turn.index[`tool:${permission.toolUseId}`];
  const item = at === undefined ? undefined : turn.items[at];
  return item?.type === 'tool' ? item : null;
}

function itemRowsOf(turn: TurnView): ItemRow[] {
  const byParent = new Map<string, TranscriptItem[]>();
  const roots: TranscriptItem[] = [];
  const permissions = new Map(
    turn.items.flatMap((item) => (item.type === 'permission' ? [[item.key, item] as const] : [])),
  );
  for (const item of turn.items) {
    if (!isShown(item, turn, permissions)) continue;
    if (item.parent === null || turn.index[`tool:${item.parent}`] === undefined) roots.push(item);
    else {
      const siblings = byParent.get(item.parent);
      if (siblings === undefined) byParent.set(item.parent, [item]);
      else siblings.push(item);
    }
  }
  const toRow = (item: TranscriptItem): ItemRow => {
    const children = item.type === 'tool' ? byParent.get(item.toolUseId) : undefined;
    if (item.type === 'tool') byParent.delete(item.toolUseId);
    return {
      kind: 'item',
      key: item.key,
      turnId: turn.id,
      turnStatus: turn.status,
      item,
      permission:
        item.type === 'tool' && item.permissionKey !== null ? (permissions.get(item.permissionKey) ?? null) : null,
      tool: item.type === 'permission' ? toolOf(turn, item) : null,
      children: children === undefined ? NO_ROWS : children.map(toRow),
    };
  };
  return roots.map(toRow);
}

/** True when nothing that was streamed is left to read, so that the result's own text is the answer. */
function needsResultText(turn: TurnView): boolean {
  if (turn.structured !== null) return false;
  const hasText = turn.items.some((item) => item.type === 'text' && item.parent === null && item.text.trim() !== '');
  return !hasText && turn.resultText !== null && turn.resultText.trim() !== '';
}

function rowsOfTurn(turn: TurnView): TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  if (turn.message !== null) rows.push({ kind: 'message', key: `${turn.id}/message`, turn });
  rows.push(...itemRowsOf(turn));
  const { structured } = turn;
  if (structured !== null) rows.push({ kind: 'structured', key: `${turn.id}/structured`, turn, value: structured });
  if (needsResultText(turn)) rows.push({ kind: 'result-text', key: `${turn.id}/result`, turn });
  if (activityOf(turn) !== null) rows.push({ kind: 'activity', key: `${turn.id}/tail`, turn });
  else if (turn.kind !== 'system' && hasEnded(turn)) rows.push({ kind: 'turn-end', key: `${turn.id}/tail`, turn });
  return rows;
}

const cache = new WeakMap<TurnView, TranscriptRow[]>();

/** The rows of the reading view, in order. Rows of turns that did not change keep their identity. */
export function transcriptRows(state: TranscriptState): TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  for (const turn of state.turns) {
    let own = cache.get(turn);
    if (own === undefined) cache.set(turn, (own = rowsOfTurn(turn)));
    for (const row of own) rows.push(row);
  }
  return rows;
}
