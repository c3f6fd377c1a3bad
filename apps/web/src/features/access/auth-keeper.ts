import type { LoginResponse, User } from '@chirality/contracts';
import type { Clock } from '../../lib/state/clock';
import { ApiError } from '../../lib/http/api-error';
import { Observable } from '../../lib/state/observable';
import { retryDelayMs } from '../../lib/live/retry-delay';

/** `unreachable`: nothing answered yet, so it is unknown whether this browser is signed in; the request is repeated. */
export type AuthState =
  { status: 'unknown' | 'unreachable' | 'signed-out'; user: null } | { status: 'signed-in'; user: User };

type Parts = {
  clock: Clock;
  /** Milliseconds on the server's clock, which dates the tokens. */
  serverNow(): number;
  refresh(): Promise<LoginResponse>;
  /** Whether this browser may be signed in: what it remembers, or where it remembers nothing what the server sees. */
  maySignIn(): Promise<boolean>;
  remember(isSignedIn: boolean): void;
  logout(): Promise<void>;
  /** Tells the other tabs of this browser. */
  announce(change: 'signed-in' | 'signed-out'): void;
};

/** A token that has less left than this is no longer sent. */
const MARGIN_MS = 3_000;
const RENEW_EARLY_MS = 75_000;

export class SignedOutError extends ApiError {
  constructor() {
    super({ status: 401, code: 'UNAUTHENTICATED', detail: 'Your sign-in has ended. Sign in again.' });
  }
}

/**
 * Who is signed in. The access token lives in this object only; the refresh cookie brings a new one after a reload and
 * before each ends. At most one renewal is under way; all callers share it.
 */
export class AuthKeeper {
  readonly state = new Observable<AuthState>({ status: 'unknown', user: null });
  /** This browser was signed in, and the server has ended that. */
  private wasEnded = false;
  private access: { token: string; endsAtMs: number } | null = null;
  private renewing: Promise<string> | null = null;
  private stopPlan: () => void = () => undefined;
  private readonly tokenListeners = new Set<(token: string) => void>();
  private failures = 0;

  constructor(private readonly parts: Parts) {}

  /** Finds out whether this browser is signed in. Never rejects; while nothing answers it keeps asking. */
  async start(): Promise<void> {
    try {
      if (!(await this.parts.maySignIn())) return this.forget();
      await this.renew();
    } catch (error) {
      if (!(error instanceof SignedOutError)) this.askAgainLater();
    }
  }

  /** Whether the sign-in ended without the person asking for it, which the page to sign in says. */
  get wasEndedByServer(): boolean {
    return this.wasEnded;
  }

  onToken(listener: (token: string) => void): void {
    this.tokenListeners.add(listener);
  }

  async token(): Promise<string> {
    if (this.access !== null && this.access.endsAtMs - this.parts.serverNow() > MARGIN_MS) return this.access.token;
    return this.renew();
  }

  /** A new token. Rejects with `SignedOutError` when the server no longer knows this browser. */
  renew(): Promise<string> {
    this.renewing ??= this.renewOnce().finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  adopt(answer: LoginResponse, options: { announce: boolean }): void {
    const endsAtMs = Date.parse(answer.expiresAt);
    this.access = { token: answer.accessToken, endsAtMs };
    this.failures = 0;
    this.wasEnded = false;
    this.parts.remember(true);
    this.planRenewal(endsAtMs - this.parts.serverNow());
    this.setUser(answer.user);
    for (const listener of this.tokenListeners) listener(answer.accessToken);
    if (options.announce) this.parts.announce('signed-in');
  }

  setUser(user: User): void {
    const now = this.state.get();
    if (now.status === 'signed-in' && JSON.stringify(now.user) === JSON.stringify(user)) return;
    this.state.set({ status: 'signed-in', user });
  }

  async signOut(): Promise<void> {
    await this.parts.logout().catch(() => undefined);
    this.wasEnded = false;
    this.forget();
    this.parts.announce('signed-out');
  }

  /** Another tab signed in or out. */
  heard(change: 'signed-in' | 'signed-out'): void {
    if (change === 'signed-out') this.forget();
    else if (this.state.get().status === 'signed-out') {
      this.state.set({ status: 'unknown', user: null });
      void this.start();
    }
  }

  private async renewOnce(): Promise<string> {
    if (this.state.get().status === 'signed-out') throw new SignedOutError();
    try {
      const answer = await this.parts.refresh();
      this.adopt(answer, { announce: false });
      return answer.accessToken;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      this.wasEnded = true;
      this.forget();
      throw new SignedOutError();
    }
  }

  private forget(): void {
    this.access = null;
    this.parts.remember(false);
    this.stopPlan();
    this.state.set({ status: 'signed-out', user: null });
  }

  private planRenewal(leftMs: number): void {
    this.stopPlan();
    const waitMs = Math.max(1_000, leftMs - Math.min(RENEW_EARLY_MS, leftMs / 2));
    this.stopPlan = this.parts.clock.after(waitMs, () => {
      this.renew().catch((error: unknown) => {
        if (!(error instanceof SignedOutError)) this.askAgainLater();
      });
    });
  }

  private askAgainLater(): void {
    if (this.state.get().status === 'unknown') this.state.set({ status: 'unreachable', user: null });
    this.failures += 1;
    this.stopPlan();
    this.stopPlan = this.parts.clock.after(
      retryDelayMs(this.failures, () => 1),
      () => void this.start(),
    );
  }
}
