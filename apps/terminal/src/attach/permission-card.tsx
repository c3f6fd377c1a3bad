import type { PermissionItem } from '@chirality/domain';
import { Box, Text } from 'ink';
import { requestLines } from '../transcript/row-lines';
import { choicesOf, headlineOf } from './choices';
import { LinesView } from './lines-view';

/** What the model asks for, all of it that there is room for, and what can be answered. */
export function PermissionCard({
  item,
  chosen,
  columns,
  rows,
  colour,
}: {
  item: PermissionItem;
  chosen: number | null;
  columns: number;
  rows: number;
  colour: boolean;
}) {
  const choices = choicesOf(item);
  const room = Math.max(4, Math.min(16, rows - choices.length - 12));
  const lines = item.kind === 'question' ? [] : requestLines(item.tool, item.input, columns - 2, room);
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text wrap="truncate-end" bold={colour} {...(colour ? { color: 'yellow' } : {})}>
        {`┃ ${headlineOf(item)}`}
      </Text>
      <LinesView lines={lines} colour={colour} />
      {item.proposal !== null && (
        <Text wrap="truncate-end"> A push is answered in the dashboard, which shows where it goes.</Text>
      )}
      {choices.map(({ label }, at) => (
        <Text key={label} wrap="truncate-end" {...(at === chosen && colour ? { color: 'cyan' } : {})}>
          {`${at === chosen ? '›' : ' '} ${at + 1}. ${label}`}
        </Text>
      ))}
      <Text wrap="truncate-end" {...(colour ? { dimColor: true } : {})}>
        {chosen === null ? '  ↑ ↓ choose an answer' : '  Enter answers'}
      </Text>
    </Box>
  );
}
