import { hash, verify } from '@node-rs/argon2';

/** argon2id with 19 MiB and two passes: about 20 ms of one core, in a separate thread. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Verified where there is no account, so that both answers take the same time. */
const NO_ACCOUNT = hash('no account has this password', COST);

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** False for a wrong password and, after the same work, for no account at all. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const right = await verify(stored ?? (await NO_ACCOUNT), password).catch(() => false);
  return right && stored !== null;
}
