const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\w+)$/;

/** Cursors of lists that are ordered by a time and an id, latest first. Opaque to clients. */
export function encodeCursor(at: string, id: string): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/** Null for anything that is not such a cursor: the list then begins at its start. */
export function decodeCursor(cursor: string | undefined): { at: Date; id: string } | null {
  const [, time, id] = CURSOR.exec(Buffer.from(cursor ?? '', 'base64url').toString('latin1')) ?? [];
  const at = new Date(time ?? NaN);
  return id !== undefined && !Number.isNaN(at.getTime()) ? { at, id } : null;
}
