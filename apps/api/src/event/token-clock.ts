/** How long before the end of a token its holder is notified. */
const NOTICE_MS = 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Tells when a token is about to expire and when it has; setting it again replaces what was planned. */
export class TokenClock {
  private notice: NodeJS.Timeout | undefined;
  private end: NodeJS.Timeout | undefined;

  constructor(
    private readonly onExpiring: (expiresAtMs: number) => void,
    private readonly onExpired: () => void,
  ) {}

  set(expiresAtMs: number): void {
    this.clear();
    const leftMs = Math.min(Math.max(0, expiresAtMs - Date.now()), MAX_TIMER_MS);
    this.end = setTimeout(this.onExpired, leftMs).unref();
    this.notice = setTimeout(() => this.onExpiring(expiresAtMs), Math.max(0, leftMs - NOTICE_MS)).unref();
  }

  clear(): void {
    clearTimeout(this.notice);
    clearTimeout(this.end);
  }
}
