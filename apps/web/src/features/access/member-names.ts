type Named = { userId: string; name: string };

/**
 * Names people by id. One's own name is known before the list of members is; the name of a person who has left is not.
 */
export function memberNames(
  members: readonly Named[] | undefined,
  me: { id: string; name: string },
): (userId: string | null) => string {
  const names = new Map(members?.map((member) => [member.userId, member.name]));
  return (userId) => {
    if (userId === null) return 'Chirality';
    return names.get(userId) ?? (userId === me.id ? me.name : 'Someone');
  };
}
