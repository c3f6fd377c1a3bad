/** `intersectRules` keeps what both lists allow. */
export function intersectRules(outer: readonly string[], inner: readonly string[]): string[] {
  return outer.filter((rule) => inner.includes(rule));
}
