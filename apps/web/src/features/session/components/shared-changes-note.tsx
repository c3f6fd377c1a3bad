/** What a commit or push takes where sessions share their files. */
export function SharedChangesNote({ isShared }: { isShared: boolean }) {
  if (!isShared) return null;
  return (
    <p className="border-b border-line px-3 py-2 text-sm text-muted">
      These are the changes of every session that shares these files. A commit or push takes what you choose, whichever
      session made it.
    </p>
  );
}
