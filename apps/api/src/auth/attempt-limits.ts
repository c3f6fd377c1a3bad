/** How often something that guesses may be tried, per `windowMs`; what succeeds does not count. */
export const ATTEMPT_LIMITS = {
  'login:peer': { attempts: 50, windowMs: 15 * 60_000 },
  /** One account from one address: guessing there locks out no one at other addresses. */
  'login:account-peer': { attempts: 20, windowMs: 15 * 60_000 },
  /** One account from all addresses from which its owner has not signed in before. */
  'login:account': { attempts: 100, windowMs: 15 * 60_000 },
  /** One account in a browser in which its owner has signed in before. */
  'login:device': { attempts: 20, windowMs: 15 * 60_000 },
  'password-change:account': { attempts: 10, windowMs: 15 * 60_000 },
  'password-forgot:peer': { attempts: 20, windowMs: 15 * 60_000 },
  'password-forgot:account': { attempts: 5, windowMs: 60 * 60_000 },
  'password-reset:peer': { attempts: 30, windowMs: 15 * 60_000 },
  'invitation:peer': { attempts: 30, windowMs: 15 * 60_000 },
} as const;
export type AttemptKind = keyof typeof ATTEMPT_LIMITS;

/** The network that a peer can be held to: the address itself, of IPv6 the /64 that one customer is given. */
export function peerKey(address: string | undefined): string {
  if (!address) return 'unknown';
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? before
      : [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
