/** Only its form counts here: whatever resolves to another origin beside this one is another site. */
const HERE = 'http://here.invalid';

/**
 * Where to go after signing in: an address of this site, never of another. Browsers read `\` as `/` and skip tabs and
 * line breaks.
 */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !next.startsWith('/') || !URL.canParse(next, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(next, HERE);
  return origin === HERE && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
