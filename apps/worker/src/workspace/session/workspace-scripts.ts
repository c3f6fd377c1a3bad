import { PACK } from '../script/archive-script';
import { TAKE } from '../snapshot/snapshot-scripts';
import { SUBMODULE_LIMITS } from '../submodule/submodule-limits';

/** The list of deleted files inside an archive; a workspace's own file of that name is never packed. */
const DELETED = '.chirality-deleted';

/** Functions of the scripts that make a workspace: the worker's own view of it, kept where no agent sees it. */
const START = String.raw`
start_snapshot() {
  git init -q --bare --template= "$S/git"
  mkdir -p "$S/git/info" "$S/git/objects/info"
  printf '%s\n' "$O" > "$S/git/objects/info/alternates"
  exclusions > "$S/git/info/exclude"
  cat > "$S/git/config" <<'END'
[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	hooksPath = /dev/null
	fsmonitor = false
	compression = 0
	looseCompression = 0
[gc]
	auto = 0
[advice]
	addEmbeddedRepo = false
END
}
exclusions() {
  cat <<'END'
/${DELETED}
/.claude/settings.local.json
/.claude/worktrees/
/.claude/*.lock
END
}
`;

// What a template literal would take for its own.
const [FIRST_WORD, OTHER_WORDS] = ['${line%% *}', '${line#* }'];

/**
 * `submodules` prints `commit path` of each in a commit of which the project has the objects, a line each. `plant`
 * makes a repository of each of them whose directory is empty, at its commit and with the project's objects, down to
 * those of submodules; one that the project lacks stays an empty directory. A commit may name any commit of the
 * project, so a few of them can name more than a disk holds: depth and number are bounded as they are for a fetch.
 * Where something leads through a link, nothing is written.
 */
const SUBMODULES = String.raw`
submodules() {
  git --git-dir="$S/git" ls-tree -r -z "$1" |
    sed -z '/^160000 /!d; /\n/d; s/^160000 commit \([0-9a-f]*\)\t/\1 /' | head -z -n ${SUBMODULE_LIMITS.count} | tr '\0' '\n'
}
plant() {
  [ "$3" -le ${SUBMODULE_LIMITS.depth} ] || return 0
  submodules "$1" | while IFS= read -r line; do
    commit=${FIRST_WORD} sub=$2/${OTHER_WORDS}
    [ -d "$sub" ] && [ "$(realpath -e "$sub")" = "$sub" ] && [ -z "$(ls -A "$sub")" ] || continue
    git --git-dir="$S/git" cat-file -e "$commit^{commit}" 2> /dev/null || continue
    # What is said to be left out stays so, also where the commit is here for another reason.
    [ ! -e "$O/info/chirality-modules" ] || grep -qxF "$commit" "$O/info/chirality-modules" || continue
    printf x >> "$S/planted"
    [ "$(wc -c < "$S/planted")" -le ${SUBMODULE_LIMITS.count} ] || break
    git init -q --template= "$sub"
    mkdir -p "$sub/.git/objects/info"
    printf '%s\n' "$O" > "$sub/.git/objects/info/alternates"
    printf '%s\n' "$commit" > "$sub/.git/HEAD"
    # One that cannot be made is none, and the rest works.
    git -C "$sub" read-tree --reset -u "$commit" 2> /dev/null || { rm -rf "$sub"; mkdir "$sub"; continue; }
    ( plant "$commit" "$sub" $(($3 + 1)) )
  done
}
`;

/**
 * `changed_submodules` prints those of a commit, ended by NUL, in which there is work that the project lacks: objects
 * that were made there, or files that differ. Changes to which of their commits is used are the workspace's own.
 */
const CHANGED_SUBMODULES =
  SUBMODULES +
  String.raw`
differs() {
  [ "$3" -le ${SUBMODULE_LIMITS.depth} ] && [ -d "$2/.git" ] && [ "$(realpath -e "$2/.git")" = "$2/.git" ] || return 1
  [ -z "$(find "$2/.git/objects" -type f ! -path '*/info/*' 2> /dev/null | head -c 1)" ] || return 0
  mkdir -p "$S/modules"
  sub=$2
  index=$S/modules/$(printf '%s' "$2" | sha1sum | cut -c 1-40)-$1
  rm -f "$index.lock"
  in_it() { GIT_INDEX_FILE=$index git -C "$sub" --git-dir="$S/git" --work-tree=. "$@"; }
  [ -e "$index" ] || in_it read-tree "$1"
  in_it update-index -q --refresh > /dev/null || :
  [ -z "$(in_it ls-files -m -d -o --exclude-standard | head -c 1)" ] || return 0
  submodules "$1" > "$index.inner"
  while IFS= read -r line; do
    if ( differs "${FIRST_WORD}" "$2/${OTHER_WORDS}" $(($3 + 1)) ); then return 0; fi
  done < "$index.inner"
  return 1
}
changed_submodules() {
  submodules "$1" > "$scratch/submodules"
  while IFS= read -r line; do
    if ( differs "${FIRST_WORD}" "$(realpath "$W")/${OTHER_WORDS}" 1 ); then printf '%s\0' "${OTHER_WORDS}"; fi
  done < "$scratch/submodules"
}
`;

/**
 * Makes a new workspace in the empty `$W`: a separate repository that borrows the project's objects, on its own
 * branch, and in `$S` the worker's view of it. Arguments: branch, base commit. Prints the tree of the files.
 */
export const CREATE_WORKSPACE =
  START +
  SUBMODULES +
  String.raw`
cd "$W"
git init -q --template= -b "$1" .
mkdir -p .git/info .git/objects/info
printf '%s\n' "$O" > .git/objects/info/alternates
exclusions > .git/info/exclude
git update-ref "refs/heads/$1" "$2"
git read-tree --reset -u "$2"
start_snapshot
cp .git/index "$S/git/index"
plant "$2" "$(realpath "$W")" 1
git rev-parse "$2^{tree}"
`;

/** Names the branch of a new workspace. Arguments: its name until now, its name. */
export const RENAME_BRANCH = String.raw`
cd "$W"
git update-ref "refs/heads/$2" "refs/heads/$1"
git symbolic-ref HEAD "refs/heads/$2"
git update-ref -d "refs/heads/$1"
`;

/**
 * Writes the workspace to stdout as a compressed archive: its `.git` without what the project has anyway, every file
 * that differs from the base commit, and the list of those that were deleted. Ignored files stay behind. A nested
 * repository goes with its own `.git`, and without what it ignores itself.
 * Arguments: base commit, most bytes before compression.
 */
export const PACK_WORKSPACE =
  TAKE +
  CHANGED_SUBMODULES +
  PACK +
  String.raw`
make_scratch
export scratch
tree=$(take_snapshot)
snapshot diff-tree -r -z --no-renames --diff-filter=D --name-only "$1" "$tree" > "$scratch/${DELETED}"
cd "$W"
: > "$scratch/nested"
if [ -e .git ] || [ -L .git ]; then printf './.git\0' > "$scratch/packed"; else : > "$scratch/packed"; fi
snapshot diff-tree -r -z --no-renames --diff-filter=d --name-only "$1" "$tree" > "$scratch/candidates"
snapshot ls-files -z -o --exclude-standard >> "$scratch/candidates"
changed_submodules "$1" > "$scratch/changed"
# One whose commit changed is among them already.
sort -zu "$scratch/candidates" "$scratch/changed" > "$scratch/each"
xargs -0 -r sh -c '
  for path; do
    if [ -d "./$path" ] && [ ! -L "./$path" ]; then printf "%s\0" "./$path/" >> "$scratch/nested"; else printf "%s\0" "./$path" >> "$scratch/packed"; fi
  done' each < "$scratch/each"
# A nested repository is one name to git; with its directory as the work tree the same git lists its files.
xargs -0 -r -n 1 sh -c '
  export nested=$1
  printf "%s\0" "$nested.git" >> "$scratch/packed"
  cd "$nested"
  GIT_INDEX_FILE=$scratch/none git --git-dir="$S/git" --work-tree=. ls-files -z -o --exclude-standard |
    xargs -0 -r sh -c "for path; do printf \"%s\\0\" \"\$nested\$path\"; done" each >> "$scratch/packed"' each < "$scratch/nested"
cd "$scratch"
pack "$scratch/packed" "$2" "$W" "${DELETED}"
`;

/**
 * Rebuilds a workspace in the empty `$W` from what PACK_WORKSPACE wrote, on stdin: what was packed, then beside it the
 * files of the base commit that were neither changed nor deleted. Arguments: base commit. Prints the tree of the files.
 */
export const RESTORE_WORKSPACE =
  TAKE +
  START +
  SUBMODULES +
  String.raw`
start_snapshot
tar -xzf - -C "$W"
snapshot read-tree "$1"
snapshot update-index --force-remove -z --stdin < "$W/${DELETED}"
rm -f "$W/${DELETED}"
cd "$W"
# What is there already was packed, so it is newer than the base commit's.
snapshot checkout-index -a -q -u || :
plant "$1" "$(realpath "$W")" 1
[ -z "$(snapshot ls-files -d | head -c 1)" ] || refuse 45 'files of the base commit are missing'
make_scratch
take_snapshot
`;
