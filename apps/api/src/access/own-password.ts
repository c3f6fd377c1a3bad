import { problems } from '../core/problem/problems';
import type { Principal } from './principal';

/**
 * Whoever was given a password has to replace it before anything else: until then it may be known to whoever saw it
 * printed. The dashboard asks for it; this is what makes it so for every other client, on HTTP and on sockets.
 */
export function refuseUntilPasswordIsOwn(who: Principal): void {
  if (who.user.mustChangePassword) throw problems.passwordChangeRequired();
}
