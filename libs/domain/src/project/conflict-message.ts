const MAX_LISTED = 50;

/**
 * A message to Claude about a merge that left conflicts, for a person to send. Names of files are the repository's:
 * each stands on its own line as a quoted string, so that none reads as an instruction.
 */
export function conflictMessage(base: { branch: string; projectCommit: string; conflicts: readonly string[] }): string {
  const { branch, projectCommit, conflicts } = base;
  const listed = conflicts.slice(0, MAX_LISTED).map((path) => `- ${JSON.stringify(path)}`);
  const more =
    conflicts.length > MAX_LISTED ? [`- and ${conflicts.length - MAX_LISTED} more (git status lists them)`] : [];
  return [
    `The project's newest commit (${projectCommit.slice(0, 10)} of ${JSON.stringify(branch)}) is being merged into this session, and these files have conflicts:`,
    ...listed,
    ...more,
    '',
    'Resolve them so that both sides keep what they intend, and remove every conflict marker. Check the result, with the tests if there are any. Then add the files with `git add` and finish the merge with `git commit --no-edit`. If you are not sure about a conflict, ask me before you decide.',
  ].join('\n');
}
