import { FIND_LARGE } from '../snapshot/snapshot-scripts';

// Shell expansions that a template literal would take for its own.
const LINE_AND_DOT_OFF = '${target%??}';
const DIRECTORY = '${target%/*}';
const NAME = '${target##*/}';

/**
 * `enter` changes to a directory, which sticks to what it found, and only then asks where that is: a link swapped in
 * meanwhile changes nothing any more. Exit 44: it is not there, or not in the workspace. Names may hold line ends, so
 * a dot guards each one from `$()`.
 */
const ENTER = String.raw`
cd -P -- "$W"
root=$(pwd -P)
enter() {
  cd -P -- "$1" 2>/dev/null || exit 44
  here=$(pwd -P; echo .)
  case "$here" in "$root"/*|"$root"?.) ;; *) exit 44 ;; esac
  case "$here" in */.git/*|*/.git?.) exit 44 ;; esac
}
`;

/** Arguments: directory, most entries. Prints `name/type/size` and NUL for each, sorted by the bytes of the name. */
export const LIST_FILES =
  ENTER +
  String.raw`
enter "./$1"
find . -mindepth 1 -maxdepth 1 ! -name .git -printf '%f/%y/%s\0' | LC_ALL=C sort -z | head -z -n "$2"
`;

/**
 * Arguments: file, most bytes. Prints the file's size and a line end, then its first bytes. Links are resolved once;
 * what is read is a plain file of the directory that was entered, opened without following a link or waiting for a pipe.
 */
export const READ_FILE =
  ENTER +
  String.raw`
target=$(realpath -e -- "./$1" 2>/dev/null && echo .) || exit 44
target=${LINE_AND_DOT_OFF}
name=${NAME}
[ "$target" != "$root" ] && [ "$name" != .git ] || exit 44
enter "${DIRECTORY}/"
[ -f "./$name" ] && [ ! -L "./$name" ] || exit 44
[ -r "./$name" ] || refuse 47 'it cannot be read'
stat -c %s -- "./$name"
dd if="./$name" iflag=nofollow,nonblock,fullblock bs="$2" count=1 status=none || exit 44
`;

/**
 * Arguments: the commit to compare with as a person named it ('' for the next one), the base commit, most bytes.
 * Prints the commit and how the files differ from it. A person's own name for a commit is looked up in the session's
 * repository; all else is done by the worker's view, on a copy of its index, so that a turn is not disturbed.
 */
export const DIFF_FILES =
  FIND_LARGE +
  String.raw`
base=$2
if [ -n "$1" ]; then
  base=$(git --git-dir="$W/.git" rev-parse -q --verify --end-of-options "$1^{commit}" 2>/dev/null) || exit 44
fi
make_scratch
mkdir "$scratch/objects"
export GIT_OBJECT_DIRECTORY="$scratch/objects" GIT_ALTERNATE_OBJECT_DIRECTORIES="$S/git/objects:$W/.git/objects"
export GIT_INDEX_FILE="$scratch/index"
cp "$S/git/index" "$GIT_INDEX_FILE"
cd "$W"
find_large > "$scratch/large" 2>/dev/null
snapshot -c core.excludesFile="$scratch/large" add -A -N --ignore-errors -- . 2>/dev/null || [ $? -eq 1 ] || refuse 45 'the files could not be read'
printf '%s\n' "$base"
{
  # 141: head has enough.
  snapshot diff -M --raw --numstat -z --patch --no-ext-diff --no-textconv --ignore-submodules=dirty "$base" -- || [ $? -eq 141 ] || : > "$scratch/failed"
} | head -c "$3"
[ ! -e "$scratch/failed" ] || refuse 45 'the files could not be compared'
`;

/**
 * Commits everything that is not ignored. The message is on stdin, the author in the arguments: name, e-mail. No hook
 * of the repository runs. Prints the commit. 45: there is nothing to commit, or git refuses to, and says why.
 */
export const COMMIT = String.raw`
cd "$W"
export GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2"
own() { git --git-dir="$W/.git" --work-tree="$W" -c core.hooksPath=/dev/null -c core.fsmonitor=false -c commit.gpgSign=false -c advice.addEmbeddedRepo=false -c gc.auto=0 "$@"; }
own rev-parse -q --verify HEAD > /dev/null 2>&1 || own rev-parse --git-dir > /dev/null 2>&1 || refuse 45 'the workspace has no git repository any more'
[ -z "$(own ls-files -u | head -c 1)" ] || refuse 45 'a merge is not finished'
own add -A -- "$W" || refuse 45 'git could not add the files'
if own diff --cached --quiet && [ ! -e .git/MERGE_HEAD ]; then refuse 45 'there is nothing to commit'; fi
own commit -q --no-verify --cleanup=whitespace -F - || refuse 45 'git refused the commit'
own rev-parse HEAD
`;
