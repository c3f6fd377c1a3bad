import { whyNoEgressHost } from '../egress/egress-hosts';
import { NO_PRIVATE_HOSTS, type PrivateHosts } from '../egress/private-hosts';

const LONGEST = 2_000;
const USUAL_PORTS = { https: 443, ssh: 22 } as const;

/** `user`: of an ssh address that names one. `url` is what git is given, and holds no secret. */
export type GitAddress = {
  url: string;
  protocol: 'https' | 'ssh';
  host: string;
  port: number;
  user: string | null;
};

const FORMS =
  'The git address must start with https:// or ssh://, or look like git@git.example.com:team/repository.git.';
const SSH_USER = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;
/** `user@host:path`, as ssh's own copying program writes it; never with a slash before the colon. */
const SCP_LIKE = /^([^@:/]+)@([^@:/[\]]+):(.+)$/;

/**
 * The address of a repository as it is stored and fetched; null when it is none that is, and `whyNoGitAddress` says
 * why. Where its name leads is looked at by the proxy, when it is fetched. `privateHosts`: the operator's list.
 */
export function parseGitAddress(text: string, privateHosts: PrivateHosts = NO_PRIVATE_HOSTS): GitAddress | null {
  const read = readAddress(text.trim(), privateHosts);
  return typeof read === 'string' ? null : read;
}

/**
 * A sentence that says what is wrong with an address and never repeats it, since it may hold a secret; null when
 * nothing is.
 */
export function whyNoGitAddress(text: string, privateHosts: PrivateHosts = NO_PRIVATE_HOSTS): string | null {
  const read = readAddress(text.trim(), privateHosts);
  return typeof read === 'string' ? read : null;
}

/** `host` or `host:port`, as git accounts and pinned host keys name it. */
export function gitHostOf({ protocol, host, port }: GitAddress): string {
  return port === USUAL_PORTS[protocol] ? host : `${host}:${port}`;
}

/** The host of an account, as it is stored. `kind` says which port is the usual one. Null when the text names none. */
export function parseGitHost(
  text: string,
  kind: 'token' | 'ssh',
  privateHosts: PrivateHosts = NO_PRIVATE_HOSTS,
): string | null {
  const host = text.trim().replace(/^(?:https|ssh):\/\//i, '');
  const scheme = kind === 'token' ? 'https' : 'ssh';
  const address = /^[^/@?#\s]+\/?$/.test(host)
    ? readAddress(`${scheme}://${host.replace(/\/$/, '')}/x`, privateHosts)
    : '';
  return typeof address === 'string' ? null : gitHostOf(address);
}

/** A reference that can name a branch of a remote: what git's own check refuses, and what would read as an option. */
export function isBranchName(text: string): boolean {
  return (
    /^[^\p{Cc} ~^:?*[\\]{1,250}$/u.test(text) &&
    !/^[-/.]|[/.]$|\/\/|\.\.|@\{|\/\.|\.lock(?:\/|$)/.test(text) &&
    text !== '@' &&
    text !== 'HEAD'
  );
}

function readAddress(given: string, privateHosts: PrivateHosts): GitAddress | string {
  // The parser would leave some of them out in silence.
  if (/[\s\p{Cc}\\]/u.test(given)) return FORMS;
  if (given.length > LONGEST) return `The git address must have at most ${LONGEST} characters.`;
  if (/^(?:https|ssh):\/\/[^/]/i.test(given) && URL.canParse(given)) return readUrl(given, privateHosts);
  // `ext::`, `fd::` and their like begin with what could be a host.
  const scpLike = given.includes('::') ? null : SCP_LIKE.exec(given);
  return scpLike ? readScpLike(scpLike, privateHosts) : FORMS;
}

function readUrl(given: string, privateHosts: PrivateHosts): GitAddress | string {
  const url = new URL(given);
  const protocol = url.protocol === 'ssh:' ? 'ssh' : 'https';
  const authority = given.slice(given.indexOf('//') + 2).split('/', 1)[0] ?? '';
  const user = protocol === 'ssh' && url.password === '' && SSH_USER.test(url.username) ? url.username : null;
  if ((authority.includes('@') && user === null) || url.password !== '') return noCredentials(protocol);
  if (/[?#]/.test(given)) return 'The git address must end with the path of the repository, without ? or #.';
  if (protocol === 'ssh' && url.pathname.startsWith('/-')) return FORMS;
  // Of ssh the parser keeps what stands there; a name becomes what https would make of it.
  const host = hostOf(protocol === 'ssh' ? new URL(`https://${url.host || 'x..x'}/`) : url);
  const port = Number(url.port || USUAL_PORTS[protocol]);
  const why = whyNoHost(host, protocol, port, privateHosts);
  if (why !== null) return why;
  const shownPort = port === USUAL_PORTS[protocol] ? '' : `:${port}`;
  const address = `${protocol}://${user === null ? '' : `${user}@`}${host}${shownPort}${url.pathname}`;
  return { url: address, protocol, host, port, user };
}

function readScpLike([, user = '', name = '', path = '']: RegExpExecArray, privateHosts: PrivateHosts) {
  if (!SSH_USER.test(user)) return noCredentials('ssh');
  if (path.startsWith('-') || /[?#]/.test(path) || !URL.canParse(`https://${name}/`)) return FORMS;
  const host = hostOf(new URL(`https://${name}/`));
  const why = whyNoHost(host, 'ssh', USUAL_PORTS.ssh, privateHosts);
  if (why !== null) return why;
  return { url: `${user}@${host}:${path}`, protocol: 'ssh' as const, host, port: USUAL_PORTS.ssh, user };
}

function noCredentials(protocol: 'https' | 'ssh'): string {
  const what = protocol === 'ssh' ? 'no password' : 'no user name and no password';
  return `The git address must hold ${what}: it is shown to the whole team. For a private repository, add a git account for its host instead.`;
}

function whyNoHost(host: string, protocol: 'https' | 'ssh', port: number, privateHosts: PrivateHosts): string | null {
  // Port 22 is ssh's own, which no entry of a list of hosts may have.
  const listed = port === USUAL_PORTS[protocol] ? host : `${host}:${port}`;
  const why = host.includes('*') ? 'must be one host' : whyNoEgressHost(listed, privateHosts);
  return why === null ? null : `The host in the git address ${why}.`;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}
