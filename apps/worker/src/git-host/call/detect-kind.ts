import type { GitHostKind } from '@chirality/contracts';
import { LRUCache } from 'lru-cache';
import { HostCallError } from './host-call-error';
import { requestOfHost, type HostAnswer, type HostNetwork } from './host-request';

const KNOWN: Readonly<Record<string, GitHostKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
};
const REMEMBERED_MS = 6 * 3_600_000;
/** A host that is none of them may become one, or was only being restarted. */
const UNKNOWN_MS = 60_000;
const PROBE_MS = 8_000;
const OK = 200;
const UNAUTHORIZED = 401;

/**
 * Which API a host speaks: known by its name, else found by its public version endpoints and remembered. No credential
 * is sent to find out.
 */
export class HostKinds {
  private readonly found = new LRUCache<string, { kind: GitHostKind | null }>({ max: 500, ttl: REMEMBERED_MS });

  constructor(private readonly network: HostNetwork) {}

  /** Null: the host speaks none of them. Throws HostCallError where it cannot be reached at all. */
  async of(host: string): Promise<GitHostKind | null> {
    const known = KNOWN[host] ?? (host.endsWith('.ghe.com') ? 'github' : null);
    if (known) return known;
    const remembered = this.found.get(host);
    if (remembered) return remembered.kind;
    const kind = await this.probe(host);
    this.found.set(host, { kind }, kind === null ? { ttl: UNKNOWN_MS } : {});
    return kind;
  }

  private async probe(host: string): Promise<GitHostKind | null> {
    const asked = await Promise.allSettled([
      this.ask(host, '/api/v1/version'),
      this.ask(host, '/api/v4/version'),
      this.ask(host, '/api/v3/meta'),
    ]);
    const [gitea, gitlab, github] = asked.map((answer) => (answer.status === 'fulfilled' ? answer.value : null));
    if (gitea && isGitea(gitea)) return 'gitea';
    if (gitlab && isGitlab(gitlab)) return 'gitlab';
    if (github && isGitHub(github)) return 'github';
    const failed = asked.find((answer) => answer.status === 'rejected');
    if (failed && asked.every(({ status }) => status === 'rejected')) throw failed.reason;
    return null;
  }

  private ask(host: string, path: string): Promise<HostAnswer> {
    const url = `https://${host}${path}`;
    if (!URL.canParse(url)) throw new HostCallError(host, { kind: 'unresolved' });
    const headers = { accept: 'application/json', 'user-agent': 'Chirality', 'accept-encoding': 'identity' };
    const network = { ...this.network, limits: { ...this.network.limits, callMs: PROBE_MS, answerBytes: 256 * 1024 } };
    return requestOfHost(network, { url: new URL(url), method: 'GET', headers, body: null });
  }
}

/** One that shows nothing without signing in says so in these words. */
function isGitea(answer: HostAnswer): boolean {
  if (answer.status === OK) return hasText(answer, 'version') && !hasText(answer, 'revision');
  return /signed in user is allowed to call APIs/i.test(String(membersOf(answer)['message'] ?? ''));
}

/** It tells its version to those who are signed in, and says so in its own way to others. */
function isGitlab(answer: HostAnswer): boolean {
  if (answer.status === OK) return hasText(answer, 'version') && hasText(answer, 'revision');
  return answer.status === UNAUTHORIZED && /^401 /.test(String(membersOf(answer)['message'] ?? ''));
}

/** One in private mode answers only those who are signed in, but names its requests all the same. */
function isGitHub({ status, headers }: HostAnswer): boolean {
  return (
    (status === OK || status === UNAUTHORIZED) &&
    (headers['x-github-request-id'] !== undefined || headers['x-github-enterprise-version'] !== undefined)
  );
}

function hasText(answer: HostAnswer, member: string): boolean {
  return typeof membersOf(answer)[member] === 'string';
}

function membersOf({ body }: HostAnswer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
