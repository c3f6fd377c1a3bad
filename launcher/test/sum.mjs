/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Sum */

/**
 * How many tests passed, failed and were skipped, and the failed ones by name.
 * @returns {Sum}
 */
export function emptySum() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/**
 * Adds the counts of a part to a sum.
 * @param {Sum} sum
 * @param {Sum} part
 */
export function addTo(sum, { passed, failed, skipped, failures }) {
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  sum.failures.push(...failures);
}
