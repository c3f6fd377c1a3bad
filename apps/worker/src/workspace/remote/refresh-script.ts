// A shell expansion that a template literal would take for its own.
const WANTED = '${wanted:+"refs/heads/$wanted"}';

/** Has the repository at `$W` take the objects of the one at `$X` for its own. */
export const BORROW = String.raw`
borrow() {
  mkdir -p "$W/repo.git/objects/info"
  printf '%s/objects\n' "$X" > "$W/repo.git/objects/info/alternates"
}
`;

/**
 * Counts how many commits the remote is ahead, beside the fetch, so that it is known when that is stopped or fails: by
 * a fetch of the commits alone. A host that has no filters would send everything twice, so it ends at 16 MB.
 */
const COUNT_AHEAD = String.raw`
count_ahead() (
  exec > /dev/null
  ulimit -f 32768
  repo() { git --git-dir="$W/ahead.git" "$@"; }
  git init -q --bare --template= "$W/ahead.git"
  mkdir -p "$W/ahead.git/objects/info"
  printf '%s/objects\n' "$X" > "$W/ahead.git/objects/info/alternates"
  repo update-ref refs/chirality/known "$old"
  remote fetch -q --filter=tree:0 --no-tags --no-recurse-submodules --no-auto-gc \
    --no-write-fetch-head -- "$url" "+$from:refs/chirality/ahead" 2> /dev/null || exit 0
  count=$(repo rev-list --count "$old..refs/chirality/ahead") || exit 0
  printf 'chirality: at the remote %s %s\n' "$(repo rev-parse refs/chirality/ahead)" "$count" >&2
)
`;

/**
 * Fetches what the remote's branch has beyond the project's repository at `$X`, into a repository that borrows its
 * objects. Arguments: the branch that was asked for or nothing for the remote's default, the branch and the commit that
 * the project has. Prints `fetched branch commit rewritten count`: whether the remote's history no longer has that
 * commit, and how many commits are new. Prints `gone default` where there is no such branch.
 */
export const REFRESH_REMOTE =
  BORROW +
  COUNT_AHEAD +
  String.raw`
wanted=$1 old_branch=$2 old=$3
start_repository
borrow
repo update-ref refs/chirality/known "$old"
remote ls-remote --symref -- "$url" HEAD ${WANTED} > "$W/refs"
default=$(sed -n 's#^ref: refs/heads/\(.*\)	HEAD$#\1#p' "$W/refs" | head -n 1)
if [ -n "$wanted" ]; then branch=$wanted from=refs/heads/$wanted; else branch=$default from=HEAD; fi
new=$(awk -F '\t' -v ref="$from" '$2 == ref && $1 !~ /^ref:/ { print $1; exit }' "$W/refs")
rm -f "$W/refs"
if [ -z "$new" ]; then printf 'gone %s\n' "$default"; exit 0; fi
case "$branch" in ''|chirality/*) branch=main ;; esac
git check-ref-format "refs/heads/$branch" || branch=main
if repo cat-file -e "$new^{commit}" 2>/dev/null; then
  repo update-ref "refs/heads/$branch" "$new"
else
  printf 'chirality: at the remote %s -\n' "$new" >&2
  count_ahead & counting=$!
  remote fetch --progress --no-tags --no-recurse-submodules --no-auto-gc --no-write-fetch-head -- "$url" "+$from:refs/heads/$branch"
  kill "$counting" 2> /dev/null || :
  wait "$counting" 2> /dev/null || :
fi
new=$(repo rev-parse --verify "refs/heads/$branch^{commit}")
rewritten=no
repo merge-base --is-ancestor "$old" "$new" || rewritten=yes
count=$(repo rev-list --count "$old..$new")
repo update-ref -d refs/chirality/known
repo symbolic-ref HEAD "refs/heads/$branch"
seal
printf 'fetched %s %s %s %s\n' "$branch" "$new" "$rewritten" "$count"
`;
