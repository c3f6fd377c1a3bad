/** A row of a tree as the keyboard moves through it; `isOpen` is null where nothing can be opened. */
export type TreeRow = { depth: number; isOpen: boolean | null };

/** Where a key leads: to another row, or to this one being opened or closed; null when it has no meaning there. */
type TreeMove = { to: number } | 'toggle' | null;

/** The keys of a tree: up and down, right to open and into a folder, left to close and out of it. */
export function treeMove(key: string, rows: readonly TreeRow[], at: number): TreeMove {
  const row = rows[at];
  if (row === undefined) return null;
  const to = (next: number) => (next >= 0 && next < rows.length && next !== at ? { to: next } : null);
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      if (row.isOpen === false) return 'toggle';
      return row.isOpen === true && (rows[at + 1]?.depth ?? 0) > row.depth ? to(at + 1) : null;
    case 'ArrowLeft':
      if (row.isOpen === true) return 'toggle';
      return to(rows.slice(0, at).findLastIndex(({ depth }) => depth < row.depth));
    default:
      return null;
  }
}
