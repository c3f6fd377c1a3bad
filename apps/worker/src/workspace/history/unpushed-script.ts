import { CHOOSE_CHANGES } from './diff-scripts';

// A shell expansion that a template literal would take for its own.
const HEAD_OR_BASE = '${head:-${1%% *}}';

/**
 * What the workspace has beyond the project. To be run when the worker's view has just been taken and nothing works in
 * the workspace. Arguments: both base commits with a space between, most names, most commits. Prints, each with a NUL:
 * how many files no commit has, their first names and an empty record; how many commits the project lacks on any
 * branch, how many stashes, then id, parents and subject of the newest of those commits.
 */
export const FIND_UNPUSHED =
  CHOOSE_CHANGES +
  String.raw`
begin
cp "$S/git/index" "$GIT_INDEX_FILE"
cd "$W"
own() { git --git-dir="$W/.git" -c core.hooksPath=/dev/null -c core.fsmonitor=false "$@"; }
head=$(resolve HEAD) || head=''
{
  snapshot diff --cached -M --no-ext-diff --ignore-submodules=dirty --name-only -z "${HEAD_OR_BASE}" --
  snapshot ls-files -z -o --exclude-standard
} > "$scratch/names"
: > "$scratch/tips"
if [ -d .git ] && [ ! -L .git ]; then
  [ -z "$head" ] || printf '%s\n' "$head" > "$scratch/tips"
  own for-each-ref --format='%(objecttype) %(objectname) %(*objecttype) %(*objectname)' refs/heads refs/tags > "$scratch/refs"
  awk '$1 == "commit" { print $2 } $1 == "tag" && $3 == "commit" { print $4 }' "$scratch/refs" >> "$scratch/tips"
fi
printf '^%s\n' $1 >> "$scratch/tips"
stashes=0
if [ -f .git/logs/refs/stash ] && [ ! -L .git/logs/refs/stash ]; then stashes=$(wc -l < .git/logs/refs/stash); fi
tr -dc '\0' < "$scratch/names" | wc -c | tr '\n' '\0'
head -z -n "$2" "$scratch/names"
printf '\0'
snapshot rev-list --count --stdin < "$scratch/tips" | tr '\n' '\0'
printf '%s\0' "$stashes"
snapshot log -z --topo-order -n "$3" --format='%H%x00%P%x00%s' --stdin < "$scratch/tips"
`;
