import type { User } from '@chirality/contracts';
import { auth } from '../../../app/services';
import { useObservable } from '../../../lib/use-observable';

const NOBODY: User = { id: '', email: '', name: '', mustChangePassword: false };

/** Who is signed in. On the way out, while pages are still shown, it is nobody. */
export function useUser(): User {
  return useObservable(auth.state).user ?? NOBODY;
}
