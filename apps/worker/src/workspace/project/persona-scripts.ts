/** Argument: the commit. Prints git's long listing of the entries right below `agents`, each ended by NUL. */
export const LIST_AGENTS = String.raw`
git --git-dir="$W" ls-tree -z -l "$1" -- agents/
`;

/** Reads ids of blobs from stdin, a line each, and prints each with its size before it. */
export const READ_BLOBS = String.raw`
git --git-dir="$W" cat-file --batch
`;
