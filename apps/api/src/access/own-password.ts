import { problems } from '../core/problem/problems';
import type { Principal } from './principal';

/**
 * A user who received a password has to replace it before anything else: until then it may be known to people who saw
 * it printed. The dashboard asks for it; this is what makes it so for every other client, on HTTP and on sockets.
 */
export function refuseUntilPasswordIsOwn(who: Principal): void {
  if (who.user.mustChangePassword) throw problems.passwordChangeRequired();
}
