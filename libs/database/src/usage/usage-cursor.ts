type Place = { key: string; demo: boolean; cost: string };

const CURSOR = /^(\w{1,100}) ([tf]) (-?\d{1,30}(?:\.\d{1,10})?)$/;

/** The place of a group in a report. Opaque to clients. */
export function encodeUsageCursor({ key, demo, cost }: Place): string {
  return Buffer.from(`${key} ${demo ? 't' : 'f'} ${cost}`).toString('base64url');
}

/** Null for anything that is not such a cursor: the report then begins at its start. */
export function decodeUsageCursor(cursor: string | undefined): Place | null {
  const [, key, demo, cost] = CURSOR.exec(Buffer.from(cursor ?? '', 'base64url').toString('latin1')) ?? [];
  return key === undefined || cost === undefined ? null : { key, demo: demo === 't', cost };
}
