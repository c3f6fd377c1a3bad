import type { AuthState } from '../../features/access/auth-keeper';
import type { LiveConnection } from '../../lib/live/live-connection';
import type { Observable } from '../../lib/state/observable';

/**
 * Keeps the live connection while a person is signed in with a password that they chose. With a temporary one the
 * server denies it, and a failed attempt would delay the connection of the first page.
 */
export function connectWhileSignedIn(
  state: Pick<Observable<AuthState>, 'get' | 'subscribe'>,
  live: Pick<LiveConnection, 'start' | 'stop'>,
): void {
  state.subscribe(() => {
    const { status, user } = state.get();
    if (user !== null && !user.mustChangePassword) live.start();
    else if (status === 'signed-out') live.stop();
  });
}
