import { INSIDE } from '../inside-paths';

export const PROBE_DONE = 'sandbox-proven';

/** What each failed check means, in the words that an operator reads. */
export function probeSentences(programName: string): Readonly<Record<string, string>> {
  return {
    uid: 'the user inside is another one than outside',
    usr: '/usr can be written',
    root: 'the root directory can be written',
    shadow: '/etc/shadow is visible',
    network: 'a network interface other than loopback is visible',
    userns: 'a further user namespace can be made',
    capabilities: 'capabilities are left',
    privileges: 'new privileges can be gained',
    filter: 'the system call filter is not active',
    host: 'processes of the host are visible',
    workspace: 'the workspace cannot be written',
    config: 'the configuration directory cannot be written',
    model: 'the model gateway cannot be reached',
    program: `the ${programName} program cannot be executed`,
  };
}

/**
 * Runs inside; prints a `bad:<check>` line for each check that fails and the last line only when it came to its end.
 */
export function probeScript(uid: number, programInside: string): string {
  return `
bad() { echo "bad:$1"; }
status() { grep -q "^$1:[[:space:]]*$2$" /proc/self/status; }
[ "$(id -u)" = "${uid}" ] || bad uid
touch /usr/.chirality-probe 2>/dev/null && bad usr
touch /.chirality-probe 2>/dev/null && bad root
[ -e /etc/shadow ] && bad shadow
tail -n +3 /proc/net/dev | grep -qv '^ *lo:' && bad network
unshare -U true 2>/dev/null && bad userns
status CapEff 0000000000000000 && status CapPrm 0000000000000000 && status CapBnd 0000000000000000 || bad capabilities
status NoNewPrivs 1 || bad privileges
status Seccomp 2 || bad filter
[ -d /proc/1 ] && [ "$(cat /proc/1/comm)" = bwrap ] || bad host
touch ${INSIDE.workspace}/.probe 2>/dev/null || bad workspace
touch ${INSIDE.config}/.probe 2>/dev/null || bad config
[ -x ${programInside} ] || bad program
reach() {
  if command -v perl >/dev/null; then perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, pack_sockaddr_un($ARGV[0])) or exit 1; print <S>' "$1"
  elif command -v python3 >/dev/null; then python3 -c 'import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.makefile().readline())' "$1"
  elif command -v curl >/dev/null; then curl -s --http0.9 --unix-socket "$1" http://model/
  else [ -S "$1" ] && [ -w "$1" ] && echo reached; fi
}
[ "$(reach ${INSIDE.modelSocket} 2>/dev/null)" = reached ] || bad model
echo ${PROBE_DONE}
`;
}
