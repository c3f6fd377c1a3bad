import { safe } from '../text/safe-text';
import type { Line } from '../transcript/line';
import { Words } from './words';

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
  const shown = text === '' ? safe` ` : text;
  if (!colour || tone === undefined) return <Words>{shown}</Words>;
  if (tone === 'dim') return <Words dimColor>{shown}</Words>;
  return <Words color={COLOURS[tone]}>{shown}</Words>;
}

export function LinesView({ lines, colour }: { lines: readonly Line[]; colour: boolean }) {
  return lines.map((line, at) => <LineView key={at} line={line} colour={colour} />);
}
