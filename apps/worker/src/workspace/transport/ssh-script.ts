/**
 * How `remote` reaches an ssh host: by the proxy, as the host that `R_KNOWN_HOSTS` knows, with the key of an agent that
 * takes it from a pipe. The agent, its socket and the key end with the sandbox; the key never is a file.
 */
export const SSH_WAY = String.raw`
if [ "$R_PROTOCOL" = ssh ]; then
  command -v ssh > /dev/null && command -v ssh-add > /dev/null || refuse 52 'ssh is not installed'
  cat > /tmp/connect.pl <<'END'
use strict;
use Socket;
my ($host, $port) = @ARGV;
socket(my $proxy, PF_INET, SOCK_STREAM, 0) or die "proxy: $!\n";
connect($proxy, pack_sockaddr_in(3128, INADDR_LOOPBACK)) or die "proxy: $!\n";
syswrite($proxy, "CONNECT $host:$port HTTP/1.1\r\nHost: $host:$port\r\n\r\n");
my $head = '';
while ($head !~ /\r\n\r\n/) {
  sysread($proxy, $head, 1, length $head) && length $head < 16384 or die "proxy: the connection was closed\n";
}
$head =~ m{^HTTP/1\.[01] 200 } or die 'proxy: ' . ($head =~ /^([^\r]*)/)[0] . "\n";
sub pass {
  my ($from, $to) = @_;
  while (my $got = sysread($from, my $bytes, 65536)) {
    for (my $done = 0; $done < $got;) { $done += syswrite($to, $bytes, $got - $done, $done) || return }
  }
}
my $up = fork();
defined $up or die "proxy: $!\n";
unless ($up) { pass(*STDIN, $proxy); shutdown($proxy, 1); exit 0 }
pass($proxy, *STDOUT);
kill 'TERM', $up;
END
  printf '%s\n' "$R_KNOWN_HOSTS" > /tmp/known_hosts
  ssh_options="-F /dev/null -o BatchMode=yes -o PreferredAuthentications=publickey -o IdentityFile=none \
    -o UserKnownHostsFile=/tmp/known_hosts -o GlobalKnownHostsFile=/dev/null -o UpdateHostKeys=no -o CheckHostIP=no \
    -o HashKnownHosts=no -o ForwardAgent=no -o ClearAllForwardings=yes -o PermitLocalCommand=no -o EscapeChar=none \
    -o ConnectTimeout=30 -o ServerAliveInterval=15 -o ServerAliveCountMax=4 -o LogLevel=ERROR"
  ssh_proxy='ProxyCommand=/usr/bin/perl /tmp/connect.pl %h %p'
  export GIT_SSH_VARIANT=ssh GIT_SSH_COMMAND="ssh $ssh_options -o StrictHostKeyChecking=yes -o '$ssh_proxy'"
  if [ "$R_ACCOUNT" = ssh ]; then
    export SSH_AUTH_SOCK=/tmp/agent.sock
    ssh-agent -a "$SSH_AUTH_SOCK" > /dev/null
    printf '%s\n' "$secret" | ssh-add -q - 2> /dev/null
    secret=
  fi
fi
`;

/**
 * Prints the lines of a known_hosts file by which the host proves itself. Arguments: user, host, port. No account takes
 * part in it.
 */
export const SCAN_HOST_KEY = String.raw`
: > /tmp/known_hosts
ssh $ssh_options -o StrictHostKeyChecking=accept-new -o "$ssh_proxy" -p "$3" -- "$1@$2" true < /dev/null || :
[ -s /tmp/known_hosts ] || exit 53
cat /tmp/known_hosts
`;
