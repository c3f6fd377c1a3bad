/**
 * Whether `text` fits `pattern`, in which `*` stands for any characters. Greedy with one step back, so the time is
 * bounded by the product of the lengths.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesSequence([...pattern], [...text], (one) => one === '*', (one, other) => one === other);
}

/** The same for sequences of anything: an element for which `isGap` holds stands for any number of others. */
export function matchesSequence<P, T>(pattern: readonly P[], items: readonly T[], isGap: (one: P) => boolean, fits: (one: P, item: T) => boolean): boolean {
  let inPattern = 0;
  let inItems = 0;
  let lastGap = -1;
  let gapStart = 0;
  while (inItems < items.length) {
    if (inPattern < pattern.length && isGap(pattern[inPattern]!)) {
      lastGap = inPattern;
      gapStart = inItems;
      inPattern += 1;
    } else if (inPattern < pattern.length && fits(pattern[inPattern]!, items[inItems]!)) {
      inPattern += 1;
      inItems += 1;
    } else if (lastGap >= 0) {
      gapStart += 1;
      inItems = gapStart;
      inPattern = lastGap + 1;
    } else return false;
  }
  return pattern.slice(inPattern).every(isGap);
}
