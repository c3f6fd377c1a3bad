/** The chosen team, while the person is in it; else their oldest one. */
export function pickTeam<T extends { id: string }>(teams: readonly T[], chosen: string | null): T | null {
  return teams.find(({ id }) => id === chosen) ?? teams[0] ?? null;
}
