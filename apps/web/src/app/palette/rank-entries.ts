type Named = { label: string; context: string };

/** Higher is better; null when a word of the search is nowhere in the entry. */
function score(entry: Named, words: readonly string[]): number | null {
  const label = entry.label.toLowerCase();
  const context = entry.context.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (label.startsWith(word)) sum += 4;
    else if (new RegExp(`\\b${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`).test(label)) sum += 3;
    else if (label.includes(word)) sum += 2;
    else if (context.includes(word)) sum += 1;
    else return null;
  }
  return sum;
}

/** The entries that hold every word of the search, best first; equals keep their order. All of them for an empty search. */
export function rankEntries<T extends Named>(entries: readonly T[], search: string): T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...entries];
  return entries
    .flatMap((entry) => {
      const rank = score(entry, words);
      return rank === null ? [] : [{ entry, rank }];
    })
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
}
