import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useUser } from './use-user';
import { membersQuery } from '../access.api';
import { memberNames } from '../member-names';

/** The names of a team's people by id. */
export function useMemberName(teamId: string | undefined): (userId: string | null) => string {
  const members = useQuery({ ...membersQuery(teamId ?? ''), enabled: teamId !== undefined }).data;
  const { id, name } = useUser();
  return useMemo(() => memberNames(members, { id, name }), [members, id, name]);
}
