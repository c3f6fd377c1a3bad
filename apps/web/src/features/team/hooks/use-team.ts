import type { Role, Team } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../auth/api/get-me';

/** The teams that I am in; the first is the one that pages show where an object does not say which. */
export function useTeams(): Team[] {
  return useQuery(meQuery).data?.teams ?? [];
}

export function useTeam(teamId?: string): Team | null {
  const teams = useTeams();
  return teams.find((team) => team.id === teamId) ?? (teamId === undefined ? (teams[0] ?? null) : null);
}

/** Whether buttons that change something are shown. The server decides for itself. */
export function useMayWrite(teamId?: string): boolean {
  const role = useTeam(teamId)?.role;
  return role !== undefined && role !== 'viewer';
}

export function isAdmin(role: Role | undefined): boolean {
  return role === 'owner' || role === 'admin';
}
