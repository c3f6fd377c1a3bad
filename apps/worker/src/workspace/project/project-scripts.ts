/**
 * The bare repository's configuration, written as the last act of every script that builds one: whatever ran before
 * could not leave a hook or a helper behind. Automatic `gc` would take away objects that sessions share.
 */
export const REPOSITORY = String.raw`
repo() { git --git-dir="$W/repo.git" "$@"; }
seal() {
  rm -rf "$W/repo.git/hooks"
  cat > "$W/repo.git/config" <<'END'
[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	hooksPath = /dev/null
	fsmonitor = false
[gc]
	auto = 0
[transfer]
	fsckObjects = true
[fetch "fsck"]
	zeroPaddedFilemode = warn
	missingSpaceBeforeDate = warn
	badTimezone = warn
END
  # Sessions see the objects alone: the submodules that were fetched are named among them.
  repo for-each-ref --format='%(objectname)' refs/chirality/modules > "$W/repo.git/objects/info/chirality-modules"
}
start_repository() { git init -q --bare --template= -b main "$W/repo.git"; seal; }
first_commit() {
  commit=$(GIT_AUTHOR_NAME=Chirality GIT_AUTHOR_EMAIL=chirality@localhost GIT_COMMITTER_NAME=Chirality GIT_COMMITTER_EMAIL=chirality@localhost \
    GIT_AUTHOR_DATE="$2" GIT_COMMITTER_DATE="$2" repo commit-tree -m 'Initial commit' "$1")
  repo update-ref refs/heads/main "$commit"
}
report() { seal; printf '%s %s %s\n' "$1" "$(repo rev-parse --verify "refs/heads/$1^{commit}")" "$2"; }
`;

/** Reads README.md from stdin. Argument: the commit's date. Prints `branch commit history`. */
export const IMPORT_EMPTY =
  REPOSITORY +
  String.raw`
start_repository
blob=$(repo hash-object -w --stdin)
first_commit "$(printf '100644 blob %s\tREADME.md\n' "$blob" | repo mktree)" "$1"
report main none
`;

/**
 * Imports `$X`. A git repository gives the commit its HEAD names with its history; anything else, and a repository
 * whose history cannot be taken over whole, gives one commit of its files, ignored ones left out. We run none of the
 * source's hooks and configured programs, and what they might do in spite of that ends with this sandbox.
 * Arguments: date of a first commit, then patterns of paths to leave out. Prints `branch commit history`,
 * then the names that git takes into no commit, each ended by NUL; `.git` is one where its history was not taken over.
 */
export const IMPORT_DIRECTORY =
  REPOSITORY +
  String.raw`
date=$1; shift
ls -A "$X/." > /dev/null 2>&1 || refuse 47 'it cannot be read by the user that the service runs as'
start_repository
# The directory may belong to another user, which git takes for an attack unless configured.
GIT_CONFIG_GLOBAL="$W/gitconfig"
printf '[safe]\n\tdirectory = *\n' > "$GIT_CONFIG_GLOBAL"
source_git() { git -C "$X" -c core.fsmonitor=false -c core.hooksPath=/dev/null "$@"; }
branch=$(source_git symbolic-ref -q --short HEAD 2>/dev/null || echo main)
case "$branch" in chirality/*) branch=main ;; esac
git check-ref-format "refs/heads/$branch" || branch=main
kilobytes=$(source_git count-objects -v 2>/dev/null | sed -n 's/^size\(-pack\)\{0,1\}: //p' | paste -s -d + -)
[ "$(($kilobytes + 0))" -le 4194304 ] || refuse 46 'its history is larger than 4 GB'
if source_git rev-parse -q --verify 'HEAD^{commit}' > /dev/null 2>&1 \
  && [ "$(source_git rev-parse --is-shallow-repository)" = false ] \
  && repo fetch -q --no-tags --no-recurse-submodules --no-auto-gc "$X" "HEAD:refs/heads/$branch"; then
  repo symbolic-ref HEAD "refs/heads/$branch"
  report "$branch" kept
else
  rm -rf "$W/repo.git"
  start_repository
  mkdir -p "$W/repo.git/info"
  for left_out in "$@"; do printf '%s\n' "$left_out"; done > "$W/repo.git/info/exclude"
  export GIT_INDEX_FILE="$W/index"
  files() { git --git-dir="$W/repo.git" --work-tree="$X" -c core.bare=false -c advice.addEmbeddedRepo=false "$@"; }
  cd "$X"
  files ls-files -z -o --exclude-standard > "$W/list"
  [ "$(du -scb --files0-from="$W/list" 2>/dev/null | tail -n 1 | cut -f 1)" -le 2147483648 ] || refuse 46 'its files that are not ignored are larger than 2 GB together'
  files add -A --ignore-errors -- . || [ $? -eq 1 ]
  first_commit "$(repo write-tree)" "$date"
  { [ ! -e "$X/.git" ] || printf '.git\0'; files ls-files -z -o --exclude-standard | head -c 32768; } > "$W/list"
  rm -f "$W/index" "$W/repo.git/info/exclude"
  report main none
  cat "$W/list"
  rm -f "$W/list"
fi
rm -f "$GIT_CONFIG_GLOBAL"
`;

/** Writes the bundle of a project's branch and its submodules to stdout. Argument: the branch. */
export const WRITE_BUNDLE =
  REPOSITORY + String.raw`repo bundle create -q - "refs/heads/$1" --glob=refs/chirality/modules`;

/** Builds the repository from a bundle on stdin, every object checked. */
export const IMPORT_BUNDLE =
  REPOSITORY +
  String.raw`
cat > "$W/in.bundle"
start_repository
repo fetch -q --no-tags --no-auto-gc "$W/in.bundle" 'refs/heads/*:refs/heads/*' 'refs/chirality/*:refs/chirality/*'
rm -f "$W/in.bundle"
branch=$(repo for-each-ref --count=1 --format='%(refname)' refs/heads)
[ -n "$branch" ] || refuse 45 'the bundle has no branch'
repo symbolic-ref HEAD "$branch"
seal
`;

/**
 * Makes of a repository that was fetched one that sessions use: without what a fetch that was ended left
 * half-written.
 */
export const KEEP_REPOSITORY = REPOSITORY + String.raw`rm -f "$W/repo.git/objects/pack/tmp_"*; seal`;

/** Prints `branch commit` of a repository built from a bundle. */
export const DESCRIBE_REPOSITORY =
  REPOSITORY +
  String.raw`printf '%s %s\n' "$(repo symbolic-ref --short HEAD)" "$(repo rev-parse --verify 'HEAD^{commit}')"`;
