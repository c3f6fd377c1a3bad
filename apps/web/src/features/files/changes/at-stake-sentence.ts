import { plural } from '../../../lib/format/count';

type AtStakeCounts = { files: number; atLeast: boolean; nested: number; commits: number };

/** What exists only in the session; null when nothing does. */
export function atStakeSentence({ files, atLeast, nested, commits }: AtStakeCounts): string | null {
  const parts = [
    files > 0 && `${atLeast ? 'at least ' : ''}${plural(files, 'uncommitted file')}`,
    nested > 0 && plural(nested, 'nested repository', 'nested repositories'),
    commits > 0 && plural(commits, 'commit'),
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  const list = parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
  return `Only in this session: ${list}.`;
}
