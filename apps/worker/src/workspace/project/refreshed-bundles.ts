import { REPOSITORY } from './project-scripts';

const KEY = /^(projects\/[^/]+\/refresh-(\d+))\/whole\.bundle$/;

/** Where the bundle of one attempt's refresh is stored, whole. */
export function refreshedKey(projectId: string, attempt: number): string {
  return `projects/${projectId}/refresh-${attempt}/whole.bundle`;
}

export function isOfRefresh(bundleKey: string): boolean {
  return KEY.test(bundleKey);
}

/**
 * Whether a project had the bundle `known` after the bundle `wanted`: refreshes are numbered, and nothing but a refresh
 * follows one.
 */
export function isLaterBundle(known: string, wanted: string): boolean {
  const [attempt, wantedAttempt] = [KEY.exec(known)?.[2], KEY.exec(wanted)?.[2]];
  return attempt !== undefined && Number(attempt) > Number(wantedAttempt ?? -1);
}

/** Beside it: what it has beyond a commit, for workers that have that one. */
export function differenceKey(bundleKey: string, commit: string): string {
  return `${KEY.exec(bundleKey)?.[1] ?? bundleKey}/from-${commit}.bundle`;
}

/** What is to be deleted with a bundle. */
export function prefixOfBundle(bundleKey: string): string {
  return KEY.exec(bundleKey)?.[1] ?? bundleKey;
}

/**
 * Keeps every commit that sessions may have begun at: those of the project at `$X` that the new history does not have,
 * and the submodules of all of them.
 */
const KEEP_BASES = String.raw`
keep_bases() {
  git --git-dir="$X" for-each-ref --format='%(objectname)' refs/heads refs/chirality/bases > "$1"
  while read -r base; do
    repo merge-base --is-ancestor "$base" "$2" || repo update-ref "refs/chirality/bases/$base" "$base"
  done < "$1"
  git --git-dir="$X" for-each-ref --format='create %(refname) %(objectname)' refs/chirality/modules > "$1"
  repo for-each-ref --format='create %(refname) %(objectname)' refs/chirality/modules > "$1.here"
  grep -vxFf "$1.here" "$1" | repo update-ref --stdin || :
}
`;

/** Writes the whole of the refreshed repository to stdout, as a bundle. Argument: the branch. */
export const WRITE_REFRESHED =
  REPOSITORY +
  KEEP_BASES +
  String.raw`
make_scratch
keep_bases "$scratch/bases" "refs/heads/$1"
repo bundle create -q - --all
`;

/**
 * Writes what it has beyond a commit, and beyond the submodules that the project at `$X` has. Arguments: the branch,
 * that commit.
 */
export const WRITE_DIFFERENCE =
  REPOSITORY +
  String.raw`
branch=$1 known=$2
set --
for module in $(git --git-dir="$X" for-each-ref --format='%(objectname)' refs/chirality/modules); do set -- "$@" "^$module"; done
repo bundle create -q - "refs/heads/$branch" --glob=refs/chirality/modules "^$known" "$@" 2> /dev/null
`;

/**
 * Takes a bundle from stdin into the project's repository where it lies: objects are only added, for running sandboxes
 * read them. What its branches named before stays as a base. May be cut off anywhere and run again.
 */
export const UPDATE_REPOSITORY =
  REPOSITORY +
  String.raw`
find "$W/repo.git" -name '*.lock' -type f -delete
rm -f "$W/repo.git/objects/pack/tmp_"*
make_scratch
cat > "$W/in.bundle"
branch=$(repo bundle list-heads "$W/in.bundle" | sed -n 's#^[0-9a-f]* refs/heads/##p' | head -n 1)
[ -n "$branch" ] || refuse 45 'the bundle has no branch'
repo for-each-ref --format='%(objectname) %(refname)' refs/heads > "$scratch/before"
while read -r commit ref; do
  repo update-ref "refs/chirality/bases/$commit" "$commit"
  repo update-ref -d "$ref"
done < "$scratch/before"
repo fetch -q --no-tags --no-auto-gc "$W/in.bundle" '+refs/heads/*:refs/heads/*' '+refs/chirality/*:refs/chirality/*'
repo symbolic-ref HEAD "refs/heads/$branch"
repo for-each-ref --format='%(objectname) %(refname)' refs/chirality/bases > "$scratch/bases"
while read -r commit ref; do
  if repo merge-base --is-ancestor "$commit" HEAD; then repo update-ref -d "$ref"; fi
done < "$scratch/bases"
rm -f "$W/in.bundle"
seal
`;
