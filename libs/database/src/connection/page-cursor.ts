/** Cursors of lists that are ordered by a time and an id, latest first. Opaque to clients. */
export function encodeCursor(at: string, id: string): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/** Null for anything that is not such a cursor: the list then begins at its start. */
export function decodeCursor(cursor: string | undefined): { at: string; id: string } | null {
  const [at, id] = Buffer.from(cursor ?? '', 'base64url').toString('latin1').split(' ');
  return at && id && !Number.isNaN(Date.parse(at)) && /^[\w]+$/.test(id) ? { at, id } : null;
}
