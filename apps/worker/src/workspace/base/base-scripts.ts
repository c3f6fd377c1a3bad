import { CHOOSE_CHANGES } from '../history/diff-scripts';

export const BASE_EXIT = { uncommitted: 52 } as const;

/**
 * How a session stands to the commit that new sessions of the project start from. Arguments: the session's base and
 * that commit. Prints the commit that the session's own work begins at, how many commits it lacks and has beyond it,
 * `merging` or nothing, `undo` where the last merge can be undone, each with a NUL, then the files with conflicts.
 */
export const BASE_STATE =
  CHOOSE_CHANGES +
  String.raw`
begin
choose '' '' '' "$1 $2"
merging=
[ ! -e "$W/.git/MERGE_HEAD" ] || merging=merging
behind=0 ahead=0
if [ -n "$head" ]; then
  behind=$(snapshot rev-list --count "$head..$2")
  ahead=$(snapshot rev-list --count "$2..$head")
fi
undo=
after=$(resolve refs/chirality/base/after) || after=none
if [ "$after" = "$head" ]; then undo=undo; fi
printf '%s\0%s\0%s\0%s\0%s\0' "$base" "$behind" "$ahead" "$merging" "$undo"
# The session's own index, of which the comparison had a copy of the worker's.
unset GIT_INDEX_FILE
git --git-dir="$W/.git" --work-tree="$W" -c core.fsmonitor=false ls-files -u -z 2>/dev/null | sed -z 's/^[^	]*	//' | uniq -z | head -c 65536 || :
`;

/**
 * `own` is the session's own git, of whose hooks and helpers nothing runs. `save` keeps the files as they are, those
 * that are not committed too, as a commit that a reference of ours names.
 */
const OWN = String.raw`
make_scratch
cd "$W"
export GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$2" GIT_COMMITTER_NAME="$1" GIT_COMMITTER_EMAIL="$2" GIT_EDITOR=true
own() {
  git --git-dir="$W/.git" --work-tree="$W" -c core.hooksPath=/dev/null -c core.fsmonitor=false -c commit.gpgSign=false -c merge.autoStash=false \
    -c merge.verifySignatures=false -c rerere.enabled=false -c merge.renormalize=false -c submodule.recurse=false -c advice.addEmbeddedRepo=false -c gc.auto=0 "$@" 2> "$scratch/said"
}
words() { said=$(grep -v '^hint:' "$scratch/said" | head -n 3 | sed "s|$W/||g; s|$W|the workspace|g" | tr '\n' ' '); printf %s "$said"; }
save() {
  cp .git/index "$scratch/index" 2>/dev/null || :
  own ls-files -z -o --exclude-standard > "$scratch/untracked" || :
  { printf '.\0'; grep -z '/$' "$scratch/untracked" | sed -z 's|^|:(exclude,literal)|; s|/$||' || :; } > "$scratch/paths"
  saved=$(
    export GIT_INDEX_FILE="$scratch/index"
    own add -A --ignore-errors --pathspec-from-file="$scratch/paths" --pathspec-file-nul || [ $? -eq 1 ]
    own write-tree
  ) || refuse 49 "the files could not be kept: $(words)"
  saved=$(printf '%s\n' "$2" | own commit-tree "$saved" -p HEAD) || refuse 49 "the files could not be kept: $(words)"
  own update-ref "$1" "$saved"
}
own rev-parse -q --verify HEAD > /dev/null || refuse 45 'the workspace no longer has a git repository'
`;

/**
 * Merges a commit of the project into the session's branch. Arguments: name and e-mail of the person, the commit, the
 * branch it is of, the session's base until now. Prints `up_to_date`, `merged` or `conflicts`. Exit 52: git would have
 * to overwrite what is not committed; the last line names the files. Holds the workspace's lock.
 */
export const MERGE_BASE = String.raw`
clear_locks
${OWN}
for unfinished in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
  [ ! -e ".git/$unfinished" ] || refuse 45 'a merge or rebase is not finished'
done
if own merge-base --is-ancestor "$3" HEAD; then echo up_to_date; exit 0; fi
own merge-base "$3" HEAD > /dev/null || refuse 45 'the session and the project no longer have a commit in common; start a new session'
# What an earlier merge replaced counts until this one has an outcome.
undoable() {
  printf '%s\n' "update refs/chirality/base/before $saved" "$1" 'delete refs/chirality/base/next' | own update-ref --stdin
}
save refs/chirality/base/next "$5"
if own merge -q --no-edit --no-verify -m "Bring in $4 ($(printf %.10s "$3"))" "$3" > "$scratch/out"; then
  undoable "update refs/chirality/base/after $(own rev-parse HEAD)"
  echo merged
elif [ -e .git/MERGE_HEAD ]; then
  undoable "delete refs/chirality/base/after"
  echo conflicts
else
  reason="git could not merge: $(words)" code=49
  if grep -q 'would be overwritten\|not uptodate' "$scratch/said"; then
    reason=$(sed -n 's/^	//p' "$scratch/said" | head -n 20 | paste -s -d , - | sed 's/,/, /g') code=52
  fi
  own update-ref -d refs/chirality/base/next
  refuse $code "$reason"
fi
`;

/**
 * Undoes a merge, finished or not: files and branch are what they were, and what was done since then stays under
 * refs/chirality/base/undone. Arguments: name and e-mail. Prints the session's base as it was.
 */
export const UNDO_BASE = String.raw`
clear_locks
${OWN}
before=
# Where a merge was killed in the middle.
[ ! -e .git/MERGE_HEAD ] || before=$(own rev-parse -q --verify 'refs/chirality/base/next^{commit}') || :
[ -n "$before" ] || before=$(own rev-parse -q --verify 'refs/chirality/base/before^{commit}') || refuse 45 'there is nothing to undo'
first=$(own rev-parse --verify "$before^1")
base=$(own log -1 --format=%s "$before")
if [ -e .git/MERGE_HEAD ]; then
  [ "$(own rev-parse HEAD)" = "$first" ] || refuse 45 'the session has commits that are newer than this merge'
  save refs/chirality/base/undone 'Before the merge was undone'
  own read-tree --reset -u "$before" || refuse 49 "git could not restore the files: $(words)"
  own read-tree "$first"
  own update-index -q --refresh || :
  own merge --quit
else
  after=$(own rev-parse -q --verify 'refs/chirality/base/after^{commit}') || refuse 45 'there is nothing to undo'
  [ "$(own rev-parse HEAD)" = "$after" ] || refuse 45 'the session has commits that are newer than this merge'
  own reset -q --keep "$first" || refuse 45 'files that the merge changed have uncommitted changes; commit them or take them back first'
fi
own update-ref -d refs/chirality/base/after
own update-ref -d refs/chirality/base/before
own update-ref -d refs/chirality/base/next
printf '%s\n' "$base"
`;
