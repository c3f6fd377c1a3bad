export const PASSWORD_LENGTH = 10;

/** Why a new password cannot be taken, or null. The server checks the same. */
export function passwordProblem(password: string, repeated: string): string | null {
  if (password.length < PASSWORD_LENGTH) return `Use at least ${PASSWORD_LENGTH} characters.`;
  if (password !== repeated) return 'The two passwords differ.';
  return null;
}
