/**
 * The first lines of every script that runs in the `workspace` profile. `W S C O X` are workspace, snapshot repository,
 * configuration, project objects and source as the script sees them.
 *
 * Git gets nothing of the host's configuration, no prompt, no transport but files, and takes no lock just to look: a
 * turn may be using the index. `snapshot` is git with the worker's own repository over the workspace: its configuration
 * and hooks are ours, whatever the agent did to `.git`.
 *
 * A tree that was killed leaves git's lock files behind, and with them no later git would work: `clear_locks` removes
 * them. Run it only where no other process can work in the workspace.
 */
export const SCRIPT_PRELUDE = String.raw`
set -eu
umask 022
export LC_ALL=C.UTF-8 GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
export GIT_OPTIONAL_LOCKS=0 GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=file GIT_CEILING_DIRECTORIES=/
snapshot() { git --git-dir="$S/git" --work-tree="$W" -c core.quotePath=false "$@"; }
refuse() { printf '%s\n' "$2" >&2; exit "$1"; }
clear_locks() {
  [ -d "$W/.git" ] && [ ! -L "$W/.git" ] || return 0
  find "$W/.git" -name '*.lock' -type f -delete 2>/dev/null || :
}
make_scratch() { scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT; }
`;

/** Exit codes by which a script says what it found; anything else is a failure of the script itself. */
export const SCRIPT_EXIT = {
  notFound: 44,
  invalid: 45,
  tooLarge: 46,
  unreadable: 47,
  /** Files changed while they were read. */
  moving: 48,
  /** It was refused half-way: what was written until then is there. */
  halfway: 49,
  /** A file of that name is there, and it was not said that it may be replaced. */
  exists: 50,
  /** The file is not the one that was meant. */
  changed: 51,
} as const;
