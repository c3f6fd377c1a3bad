const MAX_PAGES = 20;

/** Every row of a list that is known to be short, page by page. */
export async function allPages<T>(
  read: (cursor: string | undefined) => Promise<{ data: T[]; nextCursor: string | null }>,
): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, nextCursor } = await read(cursor);
    rows.push(...data);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return rows;
}
