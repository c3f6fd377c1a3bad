import { FIND_EXCLUDED } from '../snapshot/snapshot-scripts';

// Shell expansions that a template literal would take for its own.
const BEFORE_SPACE = '${4%% *}';
const AFTER_SPACE = '${4##* }';

/**
 * Functions of the scripts that compare. A person's own name for a commit is looked up in the session's repository; all
 * else is done by the worker's view, on a copy of its index, so that no lock is taken and a turn is not disturbed.
 *
 * `choose` sets `base`, and `target` when two commits are compared. Arguments: base as a person named it, scope,
 * commit, and both the base commit of the session and the project's with a space between. Exit 44: there is no such
 * commit. The session's own work begins where it and the project's commit parted, once that was brought in.
 */
export const CHOOSE_CHANGES =
  FIND_EXCLUDED +
  String.raw`
resolve() { git --git-dir="$W/.git" rev-parse -q --verify --end-of-options "$1^{commit}" 2>/dev/null; }
begin() {
  make_scratch
  mkdir "$scratch/objects"
  export GIT_OBJECT_DIRECTORY="$scratch/objects" GIT_ALTERNATE_OBJECT_DIRECTORIES="$S/git/objects:$W/.git/objects:$O"
  export GIT_INDEX_FILE="$scratch/index" GIT_LITERAL_PATHSPECS=1
  everything=
  : > "$scratch/large"; : > "$scratch/nested"
}
own_beginning() {
  if [ "$1" = "$2" ] || [ -z "$head" ]; then printf %s "$1"; return; fi
  shared=$(snapshot merge-base "$2" "$head" 2>/dev/null) || shared=$1
  if [ "$shared" = "$2" ] || snapshot merge-base --is-ancestor "$1" "$shared" 2>/dev/null; then printf %s "$shared"; else printf %s "$1"; fi
}
choose() {
  head=$(resolve HEAD) || head=''
  base=$(own_beginning "${BEFORE_SPACE}" "${AFTER_SPACE}") target=
  if [ "$2" = uncommitted ] && [ -n "$head" ]; then base=$head; fi
  if [ -n "$1" ]; then base=$(resolve "$1") || exit 44; fi
  if [ -n "$3" ]; then
    target=$(resolve "$3") || exit 44
    base=$(resolve "$target^1") || base=$(snapshot hash-object -t tree /dev/null)
  fi
}
# The files as they are: new ones become known to the copy of the index, without their content. Large new ones only
# where everything is wanted.
look_at_files() {
  cp "$S/git/index" "$GIT_INDEX_FILE"
  cd "$W"
  find_excluded
  [ -z "$everything" ] || : > "$scratch/large"
  exclude "$scratch/large" "$scratch/nested" > "$scratch/excluded"
  snapshot -c core.excludesFile="$scratch/excluded" add -A -N --ignore-errors -- "$@" 2>/dev/null || [ $? -eq 1 ] || refuse 48 'the files could not be read'
}
differ() { snapshot -c core.bigFileThreshold=16m diff -M --no-ext-diff --no-textconv --ignore-submodules=dirty "$@"; }
compare() { differ "$@" || refuse 48 'the files could not be compared'; }
`;

/**
 * How the files differ. Arguments: base, scope, commit, base commit of the session, `--patch` or nothing. Prints base,
 * last commit and branch, each with a NUL, the nested repositories and the large files between empty records, then what
 * git says.
 */
export const DIFF_FILES =
  CHOOSE_CHANGES +
  String.raw`
begin
choose "$@"
branch=$(git --git-dir="$W/.git" symbolic-ref -q --short HEAD 2>/dev/null) || branch=''
[ -n "$target" ] || look_at_files .
printf '%s\0%s\0%s\0' "$base" "$head" "$branch"
cat "$scratch/nested"; printf '\0'
cat "$scratch/large"; printf '\0'
compare --raw --numstat -z $5 "$base" $target --
`;

/**
 * The patch of one file. Arguments: as above, then bytes to leave out, most bytes, the file and, of a renamed one, its
 * old name.
 */
export const FILE_PATCH =
  CHOOSE_CHANGES +
  String.raw`
begin
choose "$1" "$2" "$3" "$4"
from=$5 most=$6
shift 6
if [ -z "$target" ]; then
  cp "$S/git/index" "$GIT_INDEX_FILE"
  cd "$W"
  for path; do
    [ ! -e "$path" ] && [ ! -L "$path" ] || snapshot add -N -f -- "$path" 2>/dev/null || refuse 48 'the file could not be read'
  done
fi
# 141: head has enough.
{ differ --patch "$base" $target -- "$@" 2> "$scratch/said" || [ $? -eq 141 ] || : > "$scratch/failed"; } | tail -c "+$((from + 1))" | head -c "$most"
[ ! -e "$scratch/failed" ] || refuse 48 'the file could not be compared'
`;

/**
 * Commits of the session that the project does not have. Arguments: both base commits, how many to leave out, most.
 * Prints their number, then the fields of each, with NULs.
 */
export const LIST_COMMITS =
  CHOOSE_CHANGES +
  String.raw`
begin
choose '' '' '' "$1"
if [ -z "$head" ]; then printf '0\0'; exit 0; fi
snapshot rev-list --count "$base..$head" | tr '\n' '\0'
snapshot log -z --skip="$2" -n "$3" --format='%H%x00%an%x00%ae%x00%aI%x00%s' "$base..$head"
`;
