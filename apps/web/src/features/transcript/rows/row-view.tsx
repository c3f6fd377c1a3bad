import type { ItemRow, TranscriptRow } from '@chirality/domain';
import { memo, type ReactNode } from 'react';
import { JsonTree } from '../../../components/json/json-tree';
import { MarkdownView } from '../../../components/markdown/markdown-view';
import { ToolRow } from '../tool/tool-row';
import { ActivityRow } from './activity-row';
import { HooksRow } from './hooks-row';
import { MarkRow } from './mark-rows';
import { MessageRow } from './message-row';
import { PermissionRow } from './settled-permission-row';
import { TextRow } from './text-row';
import { ThinkingRow } from './thinking-row';
import { TodoRow } from './todo-rows';
import { TurnEndRow } from './turn-end-row';

function renderChild(row: ItemRow): ReactNode {
  return <ItemRowView key={row.key} row={row} />;
}

/** A row's content is the same as long as its item, its permission and its children are. */
function isSameItem(before: ItemRow, after: ItemRow): boolean {
  return (
    before.item === after.item &&
    before.turnStatus === after.turnStatus &&
    before.permission === after.permission &&
    before.tool === after.tool &&
    before.children.length === after.children.length &&
    before.children.every((child, at) => isSameItem(child, after.children[at]!))
  );
}

const ItemRowView = memo(
  function ItemRowView({ row }: { row: ItemRow }) {
    const { item } = row;
    switch (item.type) {
      case 'text':
        return <TextRow item={item} />;
      case 'thinking':
        return <ThinkingRow item={item} />;
      case 'tool':
        return <ToolRow row={{ ...row, item }} renderChild={renderChild} />;
      case 'permission':
        return <PermissionRow item={item} tool={row.tool} />;
      case 'todo':
        return <TodoRow items={item.items} />;
      case 'hooks':
        return <HooksRow item={item} />;
      default:
        return <MarkRow item={item} />;
    }
  },
  (before, after) => isSameItem(before.row, after.row),
);

export function RowView({ row }: { row: TranscriptRow }) {
  switch (row.kind) {
    case 'message':
      return <MessageRow rowKey={row.key} turn={row.turn} />;
    case 'item':
      return <ItemRowView row={row} />;
    case 'result-text':
      return (
        <div className="py-1.5">
          <MarkdownView text={row.turn.resultText ?? ''} isGrowing={false} />
        </div>
      );
    case 'structured':
      return (
        <div className="py-1.5">
          <JsonTree value={row.value} label="the answer" />
        </div>
      );
    case 'activity':
      return <ActivityRow turn={row.turn} />;
    case 'turn-end':
      return <TurnEndRow turn={row.turn} />;
  }
}
