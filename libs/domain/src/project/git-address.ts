import { whyNoEgressHost } from '../egress/egress-hosts';

const LONGEST = 2_000;

type GitAddress = { url: string; host: string; port: number };

/**
 * The address of a repository as it is stored and fetched; null when it is none that is, and `whyNoGitAddress` says why.
 * Where its name leads is looked at by the proxy, when it is fetched.
 */
export function parseGitAddress(text: string): GitAddress | null {
  if (whyNoGitAddress(text) !== null) return null;
  const url = new URL(text.trim());
  url.hostname = hostOf(url);
  return { url: url.href, host: url.hostname, port: Number(url.port || 443) };
}

/** A sentence that says what is wrong with an address and never repeats it, since it may hold a secret; null when nothing is. */
export function whyNoGitAddress(text: string): string | null {
  const given = text.trim();
  // The parser would leave some of them out in silence.
  const url =
    !/[\s\p{Cc}\\]/u.test(given) && /^https:\/\/[^/]/i.test(given) && URL.canParse(given) ? new URL(given) : null;
  if (!url) return 'The git address must start with https://, as in https://git.example.com/team/repository.git.';
  if (given.length > LONGEST) return `The git address must have at most ${LONGEST} characters.`;
  if (
    url.username !== '' ||
    url.password !== '' ||
    given.slice(0, given.indexOf('/', 8) + 1 || undefined).includes('@')
  ) {
    return 'The git address must hold no user name and no password: it is shown to the whole team. A private repository can be cloned on the server, and made a project from that directory.';
  }
  if (/[?#]/.test(given)) return 'The git address must end with the path of the repository, without ? or #.';
  const why = url.hostname.includes('*') ? 'must be one host' : whyNoEgressHost(`${hostOf(url)}:${url.port || 443}`);
  return why === null ? null : `The host in the git address ${why}.`;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}
