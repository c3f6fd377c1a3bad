import { REPOSITORY } from '../project/project-scripts';
import { SECRET_DESCRIPTOR as SECRET } from '../../sandbox/sandbox.types';
import { SSH_WAY } from './ssh-script';

export const TRANSPORT_EXIT = { empty: 48, noBranch: 51, noSsh: 52, noCommit: 54 } as const;

/**
 * The first lines of every script that speaks to another host. `$url` is the address, `$@` what else the script was
 * given. `remote` is git with the one way out: over https or ssh, as the address says, for redirects too, and the proxy
 * leads to one host: a redirect is followed at the first request alone, as hosts need it that move `repo` to
 * `repo.git`.
 *
 * `R_ACCOUNT` says what signs in. A token reaches git by its credential helper, which answers for `R_HOST` alone and
 * reads what a descriptor holds: it is in no argument, environment, address or file.
 */
export const REMOTE =
  REPOSITORY +
  String.raw`
export GIT_ALLOW_PROTOCOL="$R_PROTOCOL" GIT_ASKPASS=/bin/false SSH_ASKPASS=/bin/false
# A pack that grows beyond what a file may have (SIGXFSZ) is then an error that git names, not a death that it does not.
trap '' 25
url=$1; shift
secret=
if [ "$R_ACCOUNT" != none ]; then secret=$(cat <&${SECRET}); exec ${SECRET}<&-; fi
answer='!answer() {
  [ "$1" = get ] || return 0
  protocol= host=
  while IFS== read -r name value; do case "$name" in protocol) protocol=$value ;; host) host=$value ;; esac; done
  [ "$protocol" = https ] && [ "$host" = "$R_HOST" ] || return 0
  cat <&${SECRET}
}; answer'
remote_git() {
  repo -c protocol.version=2 -c http.followRedirects=initial -c http.lowSpeedLimit=100 -c http.lowSpeedTime=60 \
    -c credential.helper= -c core.askPass=/bin/false -c http.cookieFile= -c transfer.bundleURI=false -c fetch.unpackLimit=1 \
    -c submodule.recurse=false -c fetch.recurseSubmodules=false "$@"
}
remote() {
  if [ "$R_ACCOUNT" = token ]; then
    remote_git -c "credential.helper=$answer" "$@" ${SECRET}<<END
$secret
END
  else
    remote_git "$@"
  fi
}
` +
  SSH_WAY;

/**
 * Fetches one branch of a remote, by default the one that its HEAD names, with its whole history and without tags, into
 * the bare repository. Argument: the branch, or nothing. Prints `branch commit history`, and git's progress on stderr.
 * Nothing is checked out, so no filter and no attribute of the repository means anything; submodules and bundles that
 * the remote names are not asked for.
 */
export const FETCH_REMOTE = String.raw`
wanted=$1
start_repository
if [ -n "$wanted" ]; then
  remote ls-remote -- "$url" "refs/heads/$wanted" > "$W/head"
  cut -f 2 "$W/head" | grep -qxF "refs/heads/$wanted" || refuse 51 'it has no such branch'
  branch=$wanted
  ref="refs/heads/$wanted"
else
  remote ls-remote --symref -- "$url" HEAD > "$W/head"
  grep -q '^[0-9a-f]\{40,64\}	HEAD$' "$W/head" || refuse 48 'it has no commit on its default branch'
  branch=$(sed -n 's#^ref: refs/heads/\(.*\)	HEAD$#\1#p' "$W/head" | head -n 1)
  ref=HEAD
fi
rm -f "$W/head"
case "$branch" in ''|chirality/*) branch=main ;; esac
git check-ref-format "refs/heads/$branch" || branch=main
remote fetch --progress --no-tags --no-recurse-submodules --no-auto-gc --no-write-fetch-head -- "$url" "$ref:refs/heads/$branch"
repo symbolic-ref HEAD "refs/heads/$branch"
report "$branch" kept
`;

/** Prints a remote's HEAD and branches, as `git ls-remote --symref` does. */
export const LIST_BRANCHES = String.raw`
start_repository
remote ls-remote --symref -- "$url" HEAD 'refs/heads/*'
`;
