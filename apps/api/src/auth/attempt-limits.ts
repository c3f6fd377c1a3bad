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
  'device-start:peer': { attempts: 30, windowMs: 15 * 60_000 },
  /** Codes of programs that are not there. */
  'device-redeem:peer': { attempts: 60, windowMs: 15 * 60_000 },
  /** Codes that a signed-in person typed and that are not there. */
  'device-code:account': { attempts: 10, windowMs: 15 * 60_000 },
  'invitation:peer': { attempts: 30, windowMs: 15 * 60_000 },
} as const;
export type AttemptKind = keyof typeof ATTEMPT_LIMITS;
