import { Text } from 'ink';
import type { Line } from '../transcript/line';

const COLOURS = {
  user: 'cyan',
  tool: 'blue',
  error: 'red',
  warning: 'yellow',
  added: 'green',
  removed: 'red',
} as const;

/** One row; its tone is a colour where there are some. An empty row has its height. */
export function LineView({ line: { text, tone }, colour }: { line: Line; colour: boolean }) {
  const shown = text === '' ? ' ' : text;
  if (!colour || tone === undefined) return <Text wrap="truncate-end">{shown}</Text>;
  if (tone === 'dim')
    return (
      <Text wrap="truncate-end" dimColor>
        {shown}
      </Text>
    );
  return (
    <Text wrap="truncate-end" color={COLOURS[tone]}>
      {shown}
    </Text>
  );
}

export function LinesView({ lines, colour }: { lines: readonly Line[]; colour: boolean }) {
  return lines.map((line, at) => <LineView key={at} line={line} colour={colour} />);
}
