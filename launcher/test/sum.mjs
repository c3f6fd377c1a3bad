/** How many tests passed, failed and were skipped, and the failed ones by name. */
export function emptySum() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/** Adds the counts of a part to a sum. */
export function addTo(sum, { passed, failed, skipped, failures }) {
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  sum.failures.push(...failures);
}
