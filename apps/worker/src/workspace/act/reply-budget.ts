/** The most that a reply may be as JSON: it travels through Redis and a browser waits for it. */
export const REPLY_LIMIT_BYTES = 256 * 1024;

/** How many bytes a value takes in a reply. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** As many of the first entries as fit, and whether that was all. */
export function fitEntries<T>(entries: readonly T[], limitBytes: number): { entries: T[]; cut: boolean } {
  let bytes = 2;
  let count = 0;
  for (const entry of entries) {
    bytes += jsonBytes(entry) + 1;
    if (bytes > limitBytes) break;
    count += 1;
  }
  return { entries: entries.slice(0, count), cut: count < entries.length };
}

/** The longest prefix of `size` steps for which `bytesOf` stays within the limit; `bytesOf` must not fall as steps rise. */
export function longestWithin(size: number, limitBytes: number, bytesOf: (steps: number) => number): number {
  if (bytesOf(size) <= limitBytes) return size;
  let [fits, exceeds] = [0, size];
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (bytesOf(middle) <= limitBytes) fits = middle;
    else exceeds = middle;
  }
  return fits;
}
