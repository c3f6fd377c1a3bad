import type { Role, Team } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useObservable } from '../../../lib/state/use-observable';
import { meQuery } from '../access.api';
import { pickTeam } from '../pick-team';
import { chooseTeam, teamChoice } from '../team-choice';

/** The teams that I am in, oldest first. */
export function useTeams(): Team[] {
  return useQuery(meQuery).data?.teams ?? [];
}

/** The named team, or without a name the one that is chosen in the sidebar. */
export function useTeam(teamId?: string): Team | null {
  const teams = useTeams();
  const chosen = useObservable(teamChoice);
  return teamId === undefined ? pickTeam(teams, chosen) : (teams.find((team) => team.id === teamId) ?? null);
}

/** On the page of one thing: its team is the chosen one from now on. */
export function useFollowTeam(teamId: string | undefined): void {
  useEffect(() => {
    if (teamId !== undefined) chooseTeam(teamId);
  }, [teamId]);
}

/** Whether buttons that change something are shown. The server decides for itself. */
export function useMayWrite(teamId?: string): boolean {
  const role = useTeam(teamId)?.role;
  return role !== undefined && role !== 'viewer';
}

export function isAdmin(role: Role | undefined): boolean {
  return role === 'owner' || role === 'admin';
}
