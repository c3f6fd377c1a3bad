import type { SourceReport } from '@chirality/contracts';
import { REPOSITORY } from '../project/project-scripts';
import type { ScriptRunner } from '../script/script-runner';

const TIMEOUT_MS = 120_000;

/**
 * Prints how many files of a commit are pointers of Git LFS, and the bytes that they stand for. Looked at are small
 * files, and only where an attribute of the commit names LFS. Argument: the commit.
 */
const COUNT_POINTERS =
  REPOSITORY +
  String.raw`
make_scratch
repo ls-tree -r -z -l "$1" | sed -z 's/\n/?/g' | tr '\0' '\n' > "$scratch/files"
attributes=$(sed -n 's#^[0-7]* blob \([0-9a-f]*\) .*[\t/]\.gitattributes$#\1#p' "$scratch/files")
[ -n "$attributes" ] && printf '%s\n' "$attributes" | repo cat-file --batch | grep -q 'filter=lfs' || { echo 0 0; exit 0; }
awk '$2 == "blob" && $4 >= 100 && $4 < 1024 { print $3 }' "$scratch/files" | repo cat-file --batch |
  awk '/^version https:\/\/git-lfs\.github\.com\/spec\/v1$/ { inside = 1 }
    inside && /^size [0-9]+$/ { count += 1; bytes += $2; inside = 0 }
    END { printf "%.0f %.0f\n", count, bytes }'
`;

/** Of a commit of `repo.git` in the directory. `known`: a repository whose objects it borrows. */
export async function countPointers(
  scripts: ScriptRunner,
  { directory, known, commit }: { directory: string; known?: string | undefined; commit: string },
): Promise<NonNullable<SourceReport['lfs']>> {
  const { stdout } = await scripts.run({
    text: COUNT_POINTERS,
    args: [commit],
    mounts: { workspace: directory, ...(known === undefined ? {} : { source: known }) },
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: 1_024,
  });
  const [pointers = 0, bytes = 0] = stdout.toString('utf8').trim().split(' ').map(Number);
  return { pointers, bytes };
}
