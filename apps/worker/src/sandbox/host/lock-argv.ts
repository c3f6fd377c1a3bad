/** The code that flock(1) exits with when another process holds the lock. */
export const LOCK_BUSY_EXIT = 222;

/**
 * Takes the lock and becomes the command that follows, under the same pid (`-F`). The lock's descriptor stays open in
 * it; bubblewrap hands it to the namespace's init alone (`--sync-fd`), so that nothing inside can let it go or keep it.
 */
export function lockArgv(flock: string, lockFile: string): string[] {
  return [flock, '-n', '-E', String(LOCK_BUSY_EXIT), '-F', lockFile];
}
