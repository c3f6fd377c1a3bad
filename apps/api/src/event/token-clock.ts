import { TOKEN_DRAIN_MS } from '../access/api-tokens';
import type { Principal } from '../access/principal';

/** How long before the end of a sign-in's access token its holder is notified, and of a token of a program. */
const NOTICE_MS = 60_000;
const TOKEN_NOTICE_MS = 5 * 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Tells when a token is about to expire, and when what it opened has to end: a browser's at once, since it renews its
 * own; a program's a minute later, so that what is being sent arrives. Setting it again replaces what was planned.
 */
export class TokenClock {
  private notice: NodeJS.Timeout | undefined;
  private end: NodeJS.Timeout | undefined;

  constructor(
    private readonly onExpiring: (expiresAtMs: number) => void,
    private readonly onExpired: () => void,
  ) {}

  set({ expiresAtMs, token }: Pick<Principal, 'expiresAtMs' | 'token'>): void {
    this.clear();
    const leftMs = expiresAtMs - Date.now();
    this.planEnd(expiresAtMs + (token === undefined ? 0 : TOKEN_DRAIN_MS));
    const noticeInMs = leftMs - (token === undefined ? NOTICE_MS : TOKEN_NOTICE_MS);
    if (noticeInMs <= MAX_TIMER_MS)
      this.notice = setTimeout(() => this.onExpiring(expiresAtMs), Math.max(0, noticeInMs)).unref();
  }

  clear(): void {
    clearTimeout(this.notice);
    clearTimeout(this.end);
  }

  /** A timer takes at most 24 days; the end of a token may be further away. */
  private planEnd(atMs: number): void {
    const leftMs = Math.max(0, atMs - Date.now());
    this.end =
      leftMs > MAX_TIMER_MS
        ? setTimeout(() => this.planEnd(atMs), MAX_TIMER_MS).unref()
        : setTimeout(this.onExpired, leftMs).unref();
  }
}
