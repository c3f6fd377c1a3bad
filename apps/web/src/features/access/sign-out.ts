import { unsavedWork } from '../../lib/form/unsaved-work';
import type { AuthKeeper } from './auth-keeper';

/** Signs out, once the person has given up what is not saved; `before` is done first, and not at all when they stay. */
export async function signOut(auth: Pick<AuthKeeper, 'signOut'>, before?: () => Promise<unknown>): Promise<void> {
  if (!(await unsavedWork.mayLeave())) return;
  await before?.();
  await auth.signOut();
}
