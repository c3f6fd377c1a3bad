/**
 * `find_large` prints new files over 32 MiB as patterns of an exclude file: to read and copy those would take longer
 * than anybody waits.
 */
export const FIND_LARGE = String.raw`
find_large() {
  snapshot ls-files -z -o --exclude-standard | sed -z '/\/$/d; s|^|./|' | xargs -0 -r sh -c 'find "$@" -maxdepth 0 -type f -size +32768k -print0' find |
    sed -z 's|^\.||; s/[][\\*?!# ]/\\&/g' | tr '\0' '\n'
}
`;

/**
 * `take_snapshot` takes the files as they are into the worker's view and prints the tree's id. What cannot be read is
 * left out, and so are large new files. Only one such script runs for a workspace at a time, so a lock in the view is
 * of one that was killed. Needs `make_scratch`.
 */
export const TAKE =
  FIND_LARGE +
  String.raw`
take_snapshot() {
  rm -f "$S/git/index.lock"
  cd "$W"
  find_large > "$scratch/large" 2>/dev/null
  snapshot -c core.excludesFile="$scratch/large" add -A --ignore-errors -- . 2>/dev/null || [ $? -eq 1 ] || refuse 45 'the files could not be read'
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
make_scratch
tree=$(take_snapshot)
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
export const TAKE_SNAPSHOT = TAKE + CLEAR_LOCKS + 'make_scratch\ntake_snapshot\n';
