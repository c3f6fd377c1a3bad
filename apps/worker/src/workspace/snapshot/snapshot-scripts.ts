/**
 * `find_excluded` looks for what no comparison reads: in `$scratch/large` new files over 32 MiB as `size/./path`, which
 * would take longer than a person waits, in `$scratch/nested` new directories with a git repository inside, as `path/`.
 * `exclude` turns such a list into patterns of an exclude file. Needs `make_scratch`.
 */
export const FIND_EXCLUDED = String.raw`
find_excluded() {
  snapshot ls-files -z -o --exclude-standard > "$scratch/untracked" 2>/dev/null || :
  grep -z '/$' "$scratch/untracked" > "$scratch/nested" || :
  sed -z '/\/$/d; s|^|./|' "$scratch/untracked" | xargs -0 -r sh -c 'find "$@" -maxdepth 0 -type f -size +32768k -printf "%s/%p\0"' find > "$scratch/large" 2>/dev/null || :
}
exclude() { sed -z 's|^[0-9]*/\./|/|; s|^[^/]|/&|; s/[][\\*?!# ]/\\&/g; s/\n/?/g' "$@" | tr '\0' '\n'; }
`;

/**
 * `take_snapshot` takes the files as they are into the worker's view and prints the tree's id. What cannot be read is
 * left out, and so are large new files. Only one such script runs for a workspace at a time, so a lock in the view is
 * of one that was killed. Needs `make_scratch`.
 */
export const TAKE =
  FIND_EXCLUDED +
  String.raw`
take_snapshot() {
  rm -f "$S/git/index.lock"
  cd "$W"
  find_excluded
  # Git adds a nested repository by its commit, and nothing at all when one has none.
  xargs -0 -r -n 1 sh -c 'git --git-dir="./$1.git" rev-parse -q --verify HEAD > /dev/null 2>&1 || printf "%s\0" "$1"' each < "$scratch/nested" > "$scratch/unborn"
  exclude "$scratch/large" "$scratch/unborn" > "$scratch/excluded"
  snapshot -c core.excludesFile="$scratch/excluded" add -A --ignore-errors -- . 2>/dev/null || [ $? -eq 1 ] || refuse 45 'the files could not be read'
  snapshot write-tree
}
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

/** Prints the tree of the files and NUL, then how it differs from another one. Arguments: that tree. */
export const COMPARE_FILES =
  TAKE +
  TIDY +
  String.raw`
clear_locks
make_scratch
tree=$(take_snapshot)
tidy "$1" "$tree"
printf '%s\0' "$tree"
[ "$tree" != "$1" ] || exit 0
snapshot -c core.bigFileThreshold=16m diff-tree -r -M --raw --numstat -z --patch "$1" "$tree" || refuse 45 'the files could not be compared'
`;

/** Prints the tree of the files. */
export const TAKE_SNAPSHOT = TAKE + 'clear_locks\nmake_scratch\ntake_snapshot\n';
