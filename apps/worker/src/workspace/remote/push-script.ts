import { REPOSITORY } from '../project/project-scripts';
import { BORROW } from './refresh-script';

/**
 * Prints the last commit of the session's branch, and how many it has beyond the project. Arguments: the commits that
 * the project has.
 */
export const FIND_HEAD = String.raw`
own() { git --git-dir="$W/.git" -c core.hooksPath=/dev/null -c core.fsmonitor=false "$@"; }
head=$(own rev-parse -q --verify 'HEAD^{commit}') || refuse 45 'the session has no commit'
printf '%s %s\n' "$head" "$(own rev-list --count "$head" --not "$@")"
`;

/**
 * Writes the session's commits that the project lacks to stdout, as a bundle. Arguments: the commits that the project
 * has.
 */
export const WRITE_COMMITS = String.raw`
git --git-dir="$W/.git" -c core.hooksPath=/dev/null -c core.fsmonitor=false bundle create -q - HEAD --not "$@"
`;

/**
 * Makes a repository that holds a session's commits, from a bundle on stdin, every object checked; it borrows the rest
 * from the project's at `$X`. What the session's own repository is configured to do takes no part in a push.
 */
export const TAKE_COMMITS =
  REPOSITORY +
  BORROW +
  String.raw`
cat > "$W/in.bundle"
start_repository
borrow
repo fetch -q --no-tags --no-auto-gc "$W/in.bundle" HEAD:refs/heads/push
rm -f "$W/in.bundle"
seal
`;

/**
 * Pushes one commit to one branch, and asks the remote what it has after that. Arguments: the branch, `chosen` where it
 * is taken as it is and else a number is added while it is taken, the commit, and the lease of a forced push: the
 * commit that the branch may have there, `seen`, or nothing. Prints `already BRANCH`, `pushed BRANCH
 * COMMIT-OF-THE-REMOTE BEFORE` or `rejected BRANCH`, then what git and the remote said.
 */
export const PUSH_REMOTE = String.raw`
name=$1 taken=$2 commit=$3 lease=$4
remote ls-remote -- "$url" 'refs/heads/*' > "$W/refs"
at() { awk -F '\t' -v ref="refs/heads/$1" '$2 == ref { print $1; exit }' "$W/refs"; }
branch=$name number=1
seen=$(at "$branch")
while [ "$taken" != chosen ] && [ -n "$seen" ] && [ "$seen" != "$commit" ] && [ "$number" -lt 50 ]; do
  number=$((number + 1)) branch=$name-$((number))
  seen=$(at "$branch")
done
if [ "$seen" = "$commit" ]; then printf 'already %s\n' "$branch"; exit 0; fi
[ "$lease" != seen ] || lease=$seen
set -- push --porcelain --no-verify --no-signed --no-follow-tags --recurse-submodules=no
[ -z "$lease" ] || set -- "$@" "--force-with-lease=refs/heads/$branch:$lease"
if remote "$@" -- "$url" "$commit:refs/heads/$branch" > "$W/out" 2> "$W/said"; then
  remote ls-remote -- "$url" "refs/heads/$branch" > "$W/refs"
  printf 'pushed %s %s %s\n' "$branch" "$(at "$branch")" "$seen"
elif grep -q '^!' "$W/out"; then
  printf 'rejected %s\n' "$branch"
  grep '^!' "$W/out"
else
  cat "$W/said" >&2
  exit 1
fi
head -c 16384 "$W/said"
`;
