import type { User } from '@chirality/contracts';
import { useObservable } from '../../../lib/state/use-observable';
import { useAuth } from '../auth-service';

const NO_USER: User = { id: '', email: '', name: '', mustChangePassword: false };

/** Who is signed in. On the way out, while pages are still shown, it is an empty user. */
export function useUser(): User {
  return useObservable(useAuth().state).user ?? NO_USER;
}
