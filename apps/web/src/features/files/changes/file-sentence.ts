import type { DiffFile } from '@chirality/contracts';

const VERBS: Record<string, string> = {
  added: 'added',
  deleted: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
  type_changed: 'type changed',
  modified: 'changed',
  unmerged: 'with conflicts',
};

/** What can be said of a file that has no lines to show. */
export function fileSentence({
  status,
  binary,
  additions,
  deletions,
}: Pick<DiffFile, 'status' | 'binary' | 'additions' | 'deletions'>): string {
  const verb = VERBS[status] ?? status;
  if (binary) return `Binary file ${verb}`;
  if (additions + deletions > 0) return `File ${verb}`;
  if (status === 'added' || status === 'deleted') return `Empty file ${verb}`;
  return status === 'modified' ? 'Permissions changed' : `File ${verb}`;
}
