import { unsavedWork } from '../lib/unsaved-work';
import { auth } from './services';

/** Signs out, once the person has given up what is not saved. */
export async function signOut(): Promise<void> {
  if (await unsavedWork.mayLeave()) await auth.signOut();
}
