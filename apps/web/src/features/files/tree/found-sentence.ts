import type { FileList } from '@chirality/contracts';
import { plural } from '../../../lib/format/count';

const MORE = 'The search took too long, so there may be more.';

/** How much a search has found, and how much of that is shown. */
export function foundSentence({ data, total, atLeast = false }: Pick<FileList, 'data' | 'total' | 'atLeast'>): string {
  const count = (results: number) => results.toLocaleString('en-US');
  const sentence =
    total > data.length
      ? `Showing ${count(data.length)} of ${count(total)} results. Type more of the name to find the others.`
      : total === 0
        ? 'No results.'
        : `${plural(total, 'result')}.`;
  return atLeast ? `${sentence} ${MORE}` : sentence;
}
