import { localStore } from '../../lib/state/storage';
import { Observable } from '../../lib/state/observable';

const KEY = 'chirality.team';

/**
 * The team whose things the pages show, by id; null until one is chosen. Every tab of this browser begins with the last
 * choice.
 */
export const teamChoice = new Observable<string | null>(localStore.get(KEY));

export function chooseTeam(teamId: string): void {
  if (teamChoice.get() === teamId) return;
  localStore.set(KEY, teamId);
  teamChoice.set(teamId);
}
