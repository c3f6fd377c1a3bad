import { homedir } from 'node:os';

/**
 * The home of the person who runs this; null for an id without an account, as containers have, where the environment
 * names none.
 */
export function ownHome() {
  try {
    return homedir();
  } catch {
    return null;
  }
}
