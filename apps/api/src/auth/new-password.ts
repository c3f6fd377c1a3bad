import { passwordFault, type PasswordOwner } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';

/** Throws VALIDATION_FAILED, at the named field of the request, for a password that is easily guessed. */
export async function requireStrongPassword(
  password: string,
  owner: PasswordOwner,
  field: 'password' | 'newPassword',
): Promise<void> {
  const fault = await passwordFault(password, owner);
  if (fault !== null) throw new ProblemError('VALIDATION_FAILED', fault, { errors: [{ path: field, message: fault }] });
}
