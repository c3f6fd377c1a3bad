import { passwordFault, type PasswordOwner } from '@chirality/domain';

export { PASSWORD_MIN_CHARS } from '@chirality/contracts';

/** What is wrong with a new password or with its repetition, at the field where it stands; null where nothing is. */
type PasswordFaults = { password: string | null; repeated: string | null };

export const NO_FAULTS: PasswordFaults = { password: null, repeated: null };

/** The server checks the same. The estimate of a password's strength is loaded by the first check. */
export async function newPasswordFaults(
  password: string,
  repeated: string,
  owner: PasswordOwner,
): Promise<PasswordFaults> {
  // Without the estimate the server still decides.
  const fault = await passwordFault(password, owner).catch(() => null);
  return { password: fault, repeated: fault === null && password !== repeated ? 'The passwords do not match.' : null };
}
