import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { GitHostKind } from '@chirality/contracts';

/** How far the clock of a host that signs its time may be off. */
const MAX_SKEW_MS = 5 * 60_000;
const SECRET_PREFIX = 'whsec_';
const MAX_EVENT_CHARS = 60;

/** `keys`: what is remembered of it, so that it counts once. */
type VerifiedDelivery = { host: GitHostKind; event: string; keys: string[] };

/**
 * Whether a delivery comes from a host that knows the secret: by GitHub's, Gitea's or Forgejo's signature, by the
 * signature of Standard Webhooks, or by GitLab's token. Otherwise why not, in a sentence for who manages the project.
 */
export function verifyDelivery(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  now = Date.now(),
): VerifiedDelivery | string {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  const eventOf = (...names: string[]) =>
    (names.map(header).find((value) => value !== null) ?? 'unknown')
      .replace(/[^\w .:/-]/g, '')
      .slice(0, MAX_EVENT_CHARS);
  const isSigned = (signature: string | null) =>
    signature !== null && isSame(signature.replace(/^sha256=/, '').toLowerCase(), hmac(secret, body).toString('hex'));

  const gitea = header('x-gitea-signature') ?? header('x-forgejo-signature');
  if (gitea !== null) {
    if (!isSigned(gitea)) return WRONG_SECRET;
    const delivery = header('x-gitea-delivery') ?? header('x-forgejo-delivery');
    return { host: 'gitea', event: eventOf('x-gitea-event', 'x-forgejo-event'), keys: keysOf(delivery, body) };
  }
  const github = header('x-hub-signature-256');
  if (github !== null) {
    if (!isSigned(github)) return WRONG_SECRET;
    return { host: 'github', event: eventOf('x-github-event'), keys: keysOf(header('x-github-delivery'), body) };
  }
  const id = header('webhook-id');
  const signature = header('webhook-signature');
  if (signature !== null) {
    const time = header('webhook-timestamp') ?? '';
    if (id === null || !/^\d{1,12}$/.test(time)) return 'The delivery has a signature without an id or a time.';
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const expected = hmac(key, Buffer.concat([Buffer.from(`${id}.${time}.`), body])).toString('base64');
    const isOurs = signature.split(' ').some((one) => one.startsWith('v1,') && isSame(one.slice(3), expected));
    if (!isOurs) return WRONG_SECRET;
    if (Math.abs(now - Number(time) * 1_000) > MAX_SKEW_MS)
      return 'The delivery is older than five minutes, or the clock of the host is wrong.';
    return { host: 'gitlab', event: eventOf('x-gitlab-event'), keys: [digest('id', id)] };
  }
  const token = header('x-gitlab-token');
  if (token !== null) {
    if (!isSame(token, secret)) return WRONG_SECRET;
    const delivery = header('idempotency-key') ?? header('x-gitlab-event-uuid') ?? id;
    return { host: 'gitlab', event: eventOf('x-gitlab-event'), keys: keysOf(delivery, body) };
  }
  return 'The delivery has no signature. Enter the secret at the host.';
}

const WRONG_SECRET = 'The signature was not made with the secret in force. Enter the secret at the host again.';

/** The name of a delivery is not signed, so a copy could have another one: what it says is remembered as well. */
function keysOf(delivery: string | null, body: Buffer): string[] {
  return [digest('body', body), ...(delivery === null ? [] : [digest('id', delivery)])];
}

function digest(what: string, value: string | Buffer): string {
  return createHash('sha256').update(`${what}\0`).update(value).digest('base64url');
}

function hmac(key: string | Buffer, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest();
}

/** In the same time whatever is different, also the length. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
