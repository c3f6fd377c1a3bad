import { REPOSITORY } from '../project/project-scripts';

/**
 * Prints the submodules of a commit of `$W/repo.git`, each entry ended by NUL: `G<commit> <path>`, `P<commit>` for each
 * commit that the repository has already, and `C<key>` with `<value>` on the next line for what `.gitmodules` says of
 * paths and addresses, which is read as text and includes no other file. Argument: the commit.
 */
export const LIST_SUBMODULES =
  REPOSITORY +
  String.raw`
make_scratch
repo ls-tree -r -z "$1" | sed -z -n 's/^160000 commit \([0-9a-f]*\)\t/\1 /p' > "$scratch/links"
[ -s "$scratch/links" ] || exit 0
sed -z 's/^/G/' "$scratch/links"
sed -z 's/ .*$//' "$scratch/links" | tr '\0' '\n' | repo cat-file --batch-check | sed -n 's/^\([0-9a-f]*\) commit .*/P\1/p' | tr '\n' '\0'
repo config --blob "$1:.gitmodules" -z --get-regexp '^submodule\..*\.(path|url)$' > "$scratch/said" 2> /dev/null || :
sed -z 's/^/C/' "$scratch/said"
`;

/**
 * Fetches one commit of a submodule with its history into the repository at `$W`. A host that gives no commit by its
 * id is asked for all branches. Argument: the commit.
 */
export const FETCH_SUBMODULE = String.raw`
commit=$1
take() { remote fetch --progress --no-tags --no-recurse-submodules --no-auto-gc --no-write-fetch-head -- "$url" "$@"; }
take "$commit:refs/chirality/modules/$commit" 2> "$W/said" && exit 0
if grep -q 'not our ref\|unadvertised object' "$W/said"; then
  rm -f "$W/said"
  take '+refs/heads/*:refs/chirality/heads/*'
  found=yes
  repo cat-file -e "$commit^{commit}" 2> /dev/null || found=
  repo for-each-ref --format='delete %(refname)' refs/chirality/heads | repo update-ref --stdin
  [ -n "$found" ] || refuse 54 'the host does not have the commit'
  repo update-ref "refs/chirality/modules/$commit" "$commit"
else
  cat "$W/said" >&2
  rm -f "$W/said"
  exit 1
fi
`;

/** Keeps commits that the repository has. Arguments: the commits. */
export const KEEP_SUBMODULES =
  REPOSITORY + String.raw`for commit; do repo update-ref "refs/chirality/modules/$commit" "$commit"; done`;
