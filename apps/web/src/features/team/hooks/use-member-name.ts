import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { membersQuery } from '../api/list-members';

/** The names of a team's people by id. Somebody who has left is nobody in particular. */
export function useMemberName(teamId: string | undefined): (userId: string | null) => string {
  const members = useQuery({ ...membersQuery(teamId ?? ''), enabled: teamId !== undefined }).data;
  return useMemo(() => {
    const names = new Map(members?.map((member) => [member.userId, member.name]));
    return (userId) => (userId === null ? 'Chirality' : (names.get(userId) ?? 'Someone'));
  }, [members]);
}
