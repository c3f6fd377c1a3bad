import { Box } from 'ink';
import { safe, visible, type SafeText } from '../text/safe-text';
import type { Composed } from './composer-state';
import { Words } from './words';

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
  label: SafeText;
  colour: boolean;
}) {
  if (text === '')
    return (
      <Box>
        <Words>{safe`> `}</Words>
        <Words inverse>{safe` `}</Words>
        <Words {...(colour ? { dimColor: true } : {})}>{safe` ${label}`}</Words>
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
        <Words key={from + offset}>
          {from + offset === 0 ? safe`> ` : safe`  `}
          <Row line={line} column={from + offset === at ? column : null} width={columns - 4} />
        </Words>
      ))}
    </Box>
  );
}

/** A long line is shown around the caret. */
function Row({ line, column, width }: { line: string; column: number | null; width: number }) {
  if (column === null) return <Words>{visible(line.slice(0, width))}</Words>;
  const from = Math.max(0, column - width + 2);
  return (
    <Words>
      {visible(line.slice(from, column))}
      <Words inverse>{visible(line.slice(column, column + 1) || ' ')}</Words>
      {visible(line.slice(column + 1, from + width))}
    </Words>
  );
}
