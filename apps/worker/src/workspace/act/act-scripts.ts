// Shell expansions that a template literal would take for its own.
const LINE_AND_DOT_OFF = '${target%??}';
const DIRECTORY = '${target%/*}';
const NAME = '${target##*/}';

/**
 * `enter` changes to a directory, which sticks to what it found, and only then asks where that is: a link swapped in
 * meanwhile changes nothing. Exit 44: it is not there, or not in the workspace. Names may hold line ends, so
 * a dot guards each one from `$()`.
 */
export const ENTER = String.raw`
cd -P -- "$W"
root=$(pwd -P)
enter() {
  cd -P -- "$1" 2>/dev/null || exit 44
  here=$(pwd -P; echo .)
  case "$here" in "$root"/*|"$root"?.) ;; *) exit 44 ;; esac
  case "$here" in */.git/*|*/.git?.) exit 44 ;; esac
}
`;

/**
 * `etag_of FILE` prints what is another text once the file has other content: of a very large file, once it was
 * written to. FILE is in the directory that was entered.
 */
export const ETAG_OF = String.raw`
etag_of() {
  if [ "$(stat -c %s -- "$1")" -le 67108864 ]; then
    dd if="$1" iflag=nofollow,nonblock bs=256k status=none | sha256sum | cut -c 1-64
  else
    stat -c '%s-%.9Y' -- "$1"
  fi
}
`;

/**
 * Argument: directory. Prints `group/name/type/size` and NUL for each entry: directories, group 0, before all else, by
 * the bytes of the name.
 */
export const LIST_FILES =
  ENTER +
  String.raw`
enter "./$1"
find . -mindepth 1 -maxdepth 1 ! -name .git \( -type d -printf '0/%f/d/%s\0' -o -printf '1/%f/%y/%s\0' \) | LC_ALL=C sort -z -t / -k 1,1 -k 2,2
`;

/**
 * Arguments: file, most bytes. Prints the file's size and its etag, each with a line end, then its first bytes. Links
 * are resolved once; what is read is a plain file of the directory that was entered, opened without following a link
 * or waiting for a pipe.
 */
export const READ_FILE =
  ENTER +
  ETAG_OF +
  String.raw`
target=$(realpath -e -- "./$1" 2>/dev/null && echo .) || exit 44
target=${LINE_AND_DOT_OFF}
name=${NAME}
[ "$target" != "$root" ] && [ "$name" != .git ] || exit 44
enter "${DIRECTORY}/"
[ -f "./$name" ] && [ ! -L "./$name" ] || exit 44
[ -r "./$name" ] || refuse 47 'it cannot be read'
stat -c %s -- "./$name"
etag_of "./$name"
dd if="./$name" iflag=nofollow,nonblock,fullblock bs="$2" count=1 status=none || exit 44
`;

export const NOTHING_TO_COMMIT = 'there is nothing to commit';

/**
 * Commits everything that is not ignored, or only the chosen paths. On stdin: the message, NUL, and the chosen paths,
 * each with a NUL. Arguments: name and e-mail of the author, `all` or `chosen`. No hook of the repository runs. New
 * directories with a repository inside are left out. Prints a line for each file that is added, then the commit.
 * 45: there is nothing to commit, or nothing can be. 49: git refuses, in its own words. Holds the workspace's lock, as
 * every process of a turn does, so a lock of git's is of a process that was killed.
 */
export const COMMIT = String.raw`
clear_locks
make_scratch
cat > "$scratch/input"
head -z -n 1 "$scratch/input" | tr -d '\0' > "$scratch/message"
tail -z -n +2 "$scratch/input" > "$scratch/paths"
cd "$W"
export GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2"
own() {
  git --git-dir="$W/.git" --work-tree="$W" -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.fsyncMethod=batch -c commit.gpgSign=false -c advice.addEmbeddedRepo=false -c gc.auto=0 "$@" 2> "$scratch/said"
}
# What git said, without where that is on this machine.
words() { said=$(grep -v '^hint:' "$scratch/said" | head -n 3 | sed "s|$W/||g; s|$W|the workspace|g" | tr '\n' ' '); printf %s "$said"; }
own rev-parse -q --verify HEAD > /dev/null || own rev-parse --git-dir > /dev/null || refuse 45 'the workspace no longer has a git repository'
[ -z "$(own ls-files -u | head -c 1)" ] || refuse 45 'a merge is not finished'
only=
if [ "$3" = chosen ]; then
  export GIT_LITERAL_PATHSPECS=1
  [ -e .git/MERGE_HEAD ] || only=--only
else
  own ls-files -z -o --exclude-standard > "$scratch/untracked" || :
  { printf '.\0'; grep -z '/$' "$scratch/untracked" | sed -z 's|^|:(exclude,literal)|; s|/$||' || :; } > "$scratch/paths"
fi
own add -A -v --pathspec-from-file="$scratch/paths" --pathspec-file-nul || refuse 49 "git could not add the files: $(words)"
if own diff --cached --quiet && [ ! -e .git/MERGE_HEAD ]; then refuse 45 '${NOTHING_TO_COMMIT}'; fi
if [ -n "$only" ]; then
  own commit -q --no-verify --cleanup=whitespace -F "$scratch/message" --only --pathspec-from-file="$scratch/paths" --pathspec-file-nul || refuse 49 "git refused the commit: $(words)"
else
  own commit -q --no-verify --cleanup=whitespace -F "$scratch/message" || refuse 49 "git refused the commit: $(words)"
fi
printf '\n'
own rev-parse HEAD
`;

/** Run after a script that was killed, holding the workspace's lock. */
export const CLEAR_LOCKS = 'clear_locks';
