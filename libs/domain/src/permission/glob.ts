/**
 * Whether `text` fits `pattern`, in which `*` stands for any characters. Greedy with one step back, so the time is
 * bounded by the product of the lengths.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesSequence(
    [...pattern],
    [...text],
    (one) => one === '*',
    (one, other) => one === other,
  );
}

/** Whether there is a text that fits both. The time is bounded by the product of the lengths. */
export function wildcardsMeet(one: string, other: string): boolean {
  const [left, right] = [[...one], [...other]];
  // Whether what is left of `one` from here on can meet what is left of `other` from each place on.
  let after = new Array<boolean>(right.length + 1).fill(false);
  for (let at = left.length; at >= 0; at -= 1) {
    const here = new Array<boolean>(right.length + 1).fill(false);
    for (let to = right.length; to >= 0; to -= 1) {
      if (at === left.length && to === right.length) here[to] = true;
      else if (left[at] === '*') here[to] = after[to]! || (to < right.length && here[to + 1]!);
      else if (right[to] === '*') here[to] = here[to + 1]! || (at < left.length && after[to]!);
      else here[to] = at < left.length && to < right.length && left[at] === right[to] && after[to + 1]!;
    }
    after = here;
  }
  return after[0]!;
}

/** As `matchesWildcard`, for sequences of anything: an element for which `isGap` holds stands for any number of others. */
export function matchesSequence<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isGap: (one: P) => boolean,
  fits: (one: P, item: T) => boolean,
): boolean {
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
