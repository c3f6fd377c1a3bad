let followed: { path: string; anchor: string } | null = null;

/** A link to a part of another file was followed. */
export function followTo(path: string, anchor: string): void {
  followed = anchor === '' ? null : { path, anchor };
}

/** The part at which a file is to be shown that has just come: once, for it alone. A new tab has it in its address. */
export function takeArrival(path: string): string {
  const anchor = followed?.path === path ? followed.anchor : window.location.hash.slice(1);
  followed = null;
  return anchor;
}
