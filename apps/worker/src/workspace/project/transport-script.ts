import { REPOSITORY } from './project-scripts';

export const TRANSPORT_EXIT = { empty: 48 } as const;

/**
 * Fetches the branch that a remote's HEAD names, with its whole history and without tags, into the bare repository.
 * Argument: the address. Prints `branch commit history`, and git's progress on stderr.
 *
 * The only protocol is https, for redirects too, and the proxy leads to one host: a redirect is followed at the first
 * request alone, as hosts need it that move `repo` to `repo.git`, and gets nowhere else. Nothing is checked out, so no
 * filter and no attribute of the repository means anything; submodules and bundles that the remote names are not asked for.
 */
export const FETCH_REMOTE =
  REPOSITORY +
  String.raw`
export GIT_ALLOW_PROTOCOL=https GIT_ASKPASS=/bin/false
# A pack that grows beyond what a file may have (SIGXFSZ) is then an error that git names, not a death that it does not.
trap '' 25
url=$1
remote() {
  repo -c protocol.version=2 -c http.followRedirects=initial -c http.lowSpeedLimit=100 -c http.lowSpeedTime=60 \
    -c credential.helper= -c core.askPass=/bin/false -c http.cookieFile= -c transfer.bundleURI=false -c fetch.unpackLimit=1 \
    -c submodule.recurse=false -c fetch.recurseSubmodules=false "$@"
}
start_repository
remote ls-remote --symref -- "$url" HEAD > "$W/head"
grep -q '^[0-9a-f]\{40,64\}	HEAD$' "$W/head" || refuse 48 'it has no commit on its default branch'
branch=$(sed -n 's#^ref: refs/heads/\(.*\)	HEAD$#\1#p' "$W/head" | head -n 1)
rm -f "$W/head"
case "$branch" in ''|chirality/*) branch=main ;; esac
git check-ref-format "refs/heads/$branch" || branch=main
remote fetch --progress --no-tags --no-recurse-submodules --no-auto-gc --no-write-fetch-head -- "$url" "HEAD:refs/heads/$branch"
repo symbolic-ref HEAD "refs/heads/$branch"
report "$branch" kept
`;
