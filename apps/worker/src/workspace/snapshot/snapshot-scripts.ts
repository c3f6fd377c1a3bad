/**
 * Takes the files as they are into the worker's view; what cannot be read is left out. Prints the tree's id. Only one
 * such script runs for a workspace at a time, so a lock in the view is of one that was killed.
 */
export const TAKE = String.raw`
take_snapshot() {
  rm -f "$S/git/index.lock"
  snapshot add -A --ignore-errors -- "$W" 2>/dev/null || [ $? -eq 1 ] || refuse 45 'the files could not be read'
  snapshot write-tree
}
`;

/**
 * A tree that was killed leaves git's lock files behind, and with them no later git would work. Run only when nobody
 * uses the workspace any more.
 */
const CLEAR_LOCKS = String.raw`
if [ -d "$W/.git" ] && [ ! -L "$W/.git" ]; then find "$W/.git" -name '*.lock' -type f -delete 2>/dev/null || :; fi
`;

/**
 * Drops objects that no tree in use names, when by the usual guess there are over 2,000 of them or several are large.
 * Arguments: the trees in use.
 */
const TIDY = String.raw`
tidy() {
  crowded=$(ls "$S/git/objects/17" 2>/dev/null | wc -l)
  large=$(find "$S/git/objects" -type f -size +2048k 2>/dev/null | head -n 9 | wc -l)
  if [ "$crowded" -gt 8 ] || [ "$large" -gt 8 ]; then snapshot prune --expire=now "$@"; fi
}
`;

/** Prints the tree of the files and then how it differs from another one. Arguments: that tree, most bytes of difference. */
export const COMPARE_FILES =
  TAKE +
  TIDY +
  CLEAR_LOCKS +
  String.raw`
tree=$(take_snapshot)
make_scratch
printf '%s\n' "$tree"
[ "$tree" != "$1" ] || exit 0
{
  # 141: head has enough.
  snapshot diff-tree -r -M --raw --numstat -z --patch "$1" "$tree" || [ $? -eq 141 ] || : > "$scratch/failed"
} | head -c "$2"
[ ! -e "$scratch/failed" ] || refuse 45 'the files could not be compared'
tidy "$1" "$tree"
`;

/** Prints the tree of the files. */
export const TAKE_SNAPSHOT = TAKE + CLEAR_LOCKS + 'take_snapshot\n';
