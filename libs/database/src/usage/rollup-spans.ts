/** A half-open range; null: no bound. */
export type Span = { from: Date | null; to: Date | null };

/**
 * A range as what whole buckets can answer and what is left at its edges. Buckets are `bucketMs` long and begin at whole
 * multiples of it since 1970. No moment is in two of the spans, and together they are the range.
 */
export function rollupSpans({ from, to }: Span, bucketMs: number): { whole: Span | null; edges: Span[] } {
  const first = from && new Date(Math.ceil(from.getTime() / bucketMs) * bucketMs);
  const end = to && new Date(Math.floor(to.getTime() / bucketMs) * bucketMs);
  if (first && end && first >= end) return { whole: null, edges: from && to && from >= to ? [] : [{ from, to }] };
  const edges: Span[] = [];
  if (from && first && from < first) edges.push({ from, to: first });
  if (to && end && end < to) edges.push({ from: end, to });
  return { whole: { from: first, to: end }, edges };
}
