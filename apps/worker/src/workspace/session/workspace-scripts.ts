import { PACK } from '../script/archive-script';
import { TAKE } from '../snapshot/snapshot-scripts';

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

/**
 * Makes a new workspace in the empty `$W`: a separate repository that borrows the project's objects, on its own
 * branch, and in `$S` the worker's view of it. Arguments: branch, base commit. Prints the tree of the files.
 */
export const CREATE_WORKSPACE =
  START +
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
git rev-parse "$2^{tree}"
`;

/**
 * Writes the workspace to stdout as a compressed archive: its `.git` without what the project has anyway, every file
 * that differs from the base commit, and the list of those that were deleted. Ignored files stay behind. A nested
 * repository goes with its own `.git`, and without what it ignores itself.
 * Arguments: base commit, most bytes before compression.
 */
export const PACK_WORKSPACE =
  TAKE +
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
xargs -0 -r sh -c '
  for path; do
    if [ -d "./$path" ] && [ ! -L "./$path" ]; then printf "%s\0" "./$path/" >> "$scratch/nested"; else printf "%s\0" "./$path" >> "$scratch/packed"; fi
  done' each < "$scratch/candidates"
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
  String.raw`
start_snapshot
tar -xzf - -C "$W"
snapshot read-tree "$1"
snapshot update-index --force-remove -z --stdin < "$W/${DELETED}"
rm -f "$W/${DELETED}"
cd "$W"
# What is there already was packed, so it is newer than the base commit's.
snapshot checkout-index -a -q -u || :
[ -z "$(snapshot ls-files -d | head -c 1)" ] || refuse 45 'files of the base commit are missing'
make_scratch
take_snapshot
`;
