import { Box, Text } from 'ink';
import type { Composed } from './composer-state';
import { visible } from '../transcript/row-lines';

const MAX_ROWS = 6;

/** What is being written, with its caret; the rows around it where there are many. */
export function ComposerView({
  composed: { text, caret },
  columns,
  label,
  colour,
}: {
  composed: Composed;
  columns: number;
  label: string;
  colour: boolean;
}) {
  if (text === '')
    return (
      <Box>
        <Text>{'> '}</Text>
        <Text inverse> </Text>
        <Text wrap="truncate-end" {...(colour ? { dimColor: true } : {})}>{` ${label}`}</Text>
      </Box>
    );
  const before = text.slice(0, caret);
  const lines = text.split('\n');
  const at = before.split('\n').length - 1;
  const column = before.length - (before.lastIndexOf('\n') + 1);
  const from = Math.max(0, Math.min(at - 2, lines.length - MAX_ROWS));
  return (
    <Box flexDirection="column">
      {lines.slice(from, from + MAX_ROWS).map((line, offset) => (
        <Text key={from + offset} wrap="truncate-end">
          {from + offset === 0 ? '> ' : '  '}
          <Row line={line} column={from + offset === at ? column : null} width={columns - 4} />
        </Text>
      ))}
    </Box>
  );
}

/** A long line is shown around the caret. */
function Row({ line, column, width }: { line: string; column: number | null; width: number }) {
  if (column === null) return <Text>{visible(line.slice(0, width))}</Text>;
  const from = Math.max(0, column - width + 2);
  return (
    <Text>
      {visible(line.slice(from, column))}
      <Text inverse>{visible(line.slice(column, column + 1)) || ' '}</Text>
      {visible(line.slice(column + 1, from + width))}
    </Text>
  );
}
