// Shell expansions that a template literal would take for its own.
const FIRST_WORD = '${found%% *}';
const LAST_WORD = '${found##* }';
const BEFORE_TAB = '${found%%	*}';
const PARENT = '${2%/*}';
const NAME = '${2##*/}';

/**
 * `locate COMMIT PATH` sets `kind` (tree, blob or submodule) and `object`. Links are followed within the commit's tree;
 * exit 44: it is not there, or a link leads out. Git takes the paths to follow line by line and without a carriage
 * return at their end, so a path with either in it is looked up without following anything, and so is what git does not
 * follow to, such as a submodule: by its name in its directory. What git prints of a path that it did not find begins
 * with the commit's id or another word, never with a kind.
 */
export const LOCATE = String.raw`
stored() { git --git-dir="$W" "$@"; }
LINE_END='
'
RETURN=$(printf '\r')
follow() {
  case "$2" in
    *"$LINE_END"*|*"$RETURN"*) ;;
    *) printf '%s:%s\n' "$1" "$2" | stored cat-file --batch-check='%(objecttype) %(objectname)' --follow-symlinks | head -n 1 ;;
  esac
}
locate() {
  kind=tree object="$1^{tree}"
  [ -n "$2" ] || return 0
  found=$(follow "$1" "$2")
  case "$found" in
    'tree '*|'blob '*) ;;
    *)
      within=$1 name=$2
      case "$2" in
        */*)
          found=$(follow "$1" "${PARENT}")
          case "$found" in 'tree '*) within=${LAST_WORD} name=${NAME} ;; esac ;;
      esac
      found=$(GIT_LITERAL_PATHSPECS=1 stored ls-tree "$within" -- "$name" | head -n 1)
      found=${BEFORE_TAB}
      case "$found" in
        '040000 tree '*) found="tree ${LAST_WORD}" ;;
        '100'*' blob '*) found="blob ${LAST_WORD}" ;;
        '160000 commit '*) found="submodule ${LAST_WORD}" ;;
        *) exit 44 ;;
      esac ;;
  esac
  kind=${FIRST_WORD} object=${LAST_WORD}
}
`;

/**
 * Arguments: commit, directory. Prints the commit's date and NUL, then `group/name/type/size` and NUL for each entry,
 * in the order and form of LIST_FILES. A submodule is an empty directory, as it is in a session's workspace.
 */
export const LIST_PROJECT_FILES =
  LOCATE +
  String.raw`
locate "$1" "$2"
[ "$kind" != blob ] || exit 44
date=$(stored show -s --no-show-signature --no-mailmap --format=%cI "$1")
printf '%s\0' "$date"
[ "$kind" = tree ] || exit 0
make_scratch
stored ls-tree -z -l "$object" > "$scratch/entries"
LC_ALL=C sed -z -E '
  s,^(040000|160000) [a-z]+ [0-9a-f]+ +-\t(.*)$,0/\2/d/0,; t
  s,^120000 blob [0-9a-f]+ +[0-9]+\t(.*)$,1/\1/l/0,; t
  s,^[0-9]+ blob [0-9a-f]+ +([0-9]+)\t(.*)$,1/\2/f/\1,' "$scratch/entries" | LC_ALL=C sort -z -t / -k 1,1 -k 2,2
`;

/**
 * Arguments: commit, file, most bytes. Prints the file's size and a line end, then its first bytes. A large file is not
 * held in memory.
 */
export const READ_PROJECT_FILE =
  LOCATE +
  String.raw`
locate "$1" "$2"
[ "$kind" = blob ] || exit 44
stored cat-file -s "$object"
stored -c core.bigFileThreshold=1m cat-file blob "$object" | head -c "$3"
`;
