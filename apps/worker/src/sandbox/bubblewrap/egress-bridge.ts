import { INSIDE } from '../inside-paths';

/** The one port that programs in a sandbox find their proxy at. The network it is in is the sandbox's own. */
const EGRESS_PORT = 3128;

/** Holds the proxy's token for the bridge, which takes it away before the command begins. */
export const EGRESS_TOKEN_VARIABLE = 'CHIRALITY_EGRESS_TOKEN';

/** In the PID namespace 1 is the init, 2 the command, 3 was between the command and the bridge. */
export const BRIDGE_PID = 4;

/** Wraps a command so that it begins with its proxy listening. */
export function withEgressBridge(perl: string, command: readonly string[]): string[] {
  return [perl, INSIDE.egressBridge, INSIDE.egressSocket, String(EGRESS_PORT), ...command];
}

/** What tells programs of the proxy. The model's gateway and the sandbox itself are no matter for it. */
export function proxyEnvironment(): Record<string, string> {
  const proxy = `http://127.0.0.1:${EGRESS_PORT}`;
  const direct = 'localhost,127.0.0.1,::1,model.gateway';
  // What packages are downloaded to would not fit the home directory.
  const caches = { XDG_CACHE_HOME: `${INSIDE.temporary}/.cache`, npm_config_cache: `${INSIDE.temporary}/.npm` };
  return {
    ...caches,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: direct,
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: direct,
  };
}

/** How programs learn which authorities to accept: each kind of them has its own name for it. */
export function authorityEnvironment(): Record<string, string> {
  const names = [
    'SSL_CERT_FILE',
    'NODE_EXTRA_CA_CERTS',
    'GIT_SSL_CAINFO',
    'CURL_CA_BUNDLE',
    'REQUESTS_CA_BUNDLE',
    'PIP_CERT',
    'CARGO_HTTP_CAINFO',
  ];
  return Object.fromEntries(names.map((name) => [name, INSIDE.authorities]));
}

/**
 * Listens inside the sandbox and passes every connection on to the proxy's socket, after the token on a separate line.
 * The port is open before the command runs. It needs no module beyond those of perl-base, and it outlives the command's
 * children because it hangs below the namespace's init.
 */
export const EGRESS_BRIDGE = String.raw`use strict;
use Errno qw(EAGAIN EINTR);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use Socket;

my ($path, $port) = (shift, shift);
my $token = delete $ENV{${EGRESS_TOKEN_VARIABLE}};
socket(my $listener, PF_INET, SOCK_STREAM, 0) or die "egress: $!\n";
setsockopt($listener, SOL_SOCKET, SO_REUSEADDR, pack('l', 1));
bind($listener, pack_sockaddr_in($port, INADDR_LOOPBACK)) && listen($listener, 128) or die "egress: $!\n";

my $between = fork();
defined $between or die "egress: $!\n";
if ($between) {
  waitpid($between, 0);
  exec { $ARGV[0] } @ARGV or die "egress: $ARGV[0]: $!\n";
}
my $bridge = fork();
exit 0 if !defined $bridge || $bridge;

setpgrp(0, 0);
$SIG{PIPE} = 'IGNORE';
open(STDIN, '<', '/dev/null');
open(STDOUT, '>', '/dev/null');
open(STDERR, '>', '/dev/null');

my (%handle, %peer, %waiting, %ended, %shut);

sub keep {
  my ($handle) = @_;
  fcntl($handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK);
  my $fd = fileno($handle);
  ($handle{$fd}, $waiting{$fd}) = ($handle, '');
  return $fd;
}

sub drop {
  my ($fd) = @_;
  my @both = ($fd, $peer{$fd});
  for my $end (@both) {
    close($handle{$end});
    delete $_->{$end} for (\%handle, \%peer, \%waiting, \%ended, \%shut);
  }
}

sub settle {
  my ($fd) = @_;
  if ($ended{$peer{$fd}} && $waiting{$fd} eq '' && !$shut{$fd}) {
    shutdown($handle{$fd}, 1);
    $shut{$fd} = 1;
  }
  drop($fd) if $shut{$fd} && $shut{$peer{$fd}};
}

sub welcome {
  accept(my $client, $listener) or return;
  socket(my $proxy, PF_UNIX, SOCK_STREAM, 0) or return;
  connect($proxy, pack_sockaddr_un($path)) or return;
  my ($one, $other) = (keep($client), keep($proxy));
  ($peer{$one}, $peer{$other}) = ($other, $one);
  $waiting{$other} = "$token\n";
}

sub receive {
  my ($fd) = @_;
  my $to = $peer{$fd};
  my $got = sysread($handle{$fd}, $waiting{$to}, 65536, length $waiting{$to});
  if (defined $got) {
    $ended{$fd} = 1 if $got == 0;
    settle($to);
  } elsif ($! != EAGAIN && $! != EINTR) {
    drop($fd);
  }
}

sub pass {
  my ($fd) = @_;
  my $sent = syswrite($handle{$fd}, $waiting{$fd});
  if (defined $sent) {
    substr($waiting{$fd}, 0, $sent) = '';
    settle($fd);
  } elsif ($! != EAGAIN && $! != EINTR) {
    drop($fd);
  }
}

while (1) {
  my ($readable, $writable) = ('', '');
  vec($readable, fileno($listener), 1) = 1 if keys %handle < 400;
  for my $fd (keys %handle) {
    vec($readable, $fd, 1) = 1 if !$ended{$fd} && length $waiting{$peer{$fd}} < 262144;
    vec($writable, $fd, 1) = 1 if $waiting{$fd} ne '';
  }
  next if select($readable, $writable, undef, undef) < 0;
  my @open = keys %handle;
  welcome() if vec($readable, fileno($listener), 1);
  for my $fd (@open) {
    receive($fd) if exists $handle{$fd} && vec($readable, $fd, 1);
    pass($fd) if exists $handle{$fd} && vec($writable, $fd, 1);
  }
}
`;
