/** What Prisma rejects with where a row was to be changed or deleted that is not there. */
const NOT_FOUND = 'P2025';

/** The row that the client changed or deleted; null where there was none. */
export function foundOrNull<T>(change: Promise<T>): Promise<T | null> {
  return change.catch((error: { code?: unknown }) => {
    if (error.code === NOT_FOUND) return null;
    throw error;
  });
}
