/**
 * The e-mail address under which a person's commits stand, whether they or a turn of theirs made them: the same one in
 * every session, and not the address that they sign in with.
 */
export function gitEmailOf(userId: string): string {
  return `${userId.toLowerCase()}@users.chirality.local`;
}
