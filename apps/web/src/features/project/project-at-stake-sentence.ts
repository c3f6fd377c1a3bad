import { plural } from '../../lib/format/count';

export type ProjectAtStake = { sessions: number; live: number; isMore: boolean };

/** What archiving a project concerns; null when it has no session that one sees. */
export function projectAtStakeSentence({ sessions, live, isMore }: ProjectAtStake): string | null {
  if (sessions === 0) return null;
  const atLeast = isMore ? 'at least ' : '';
  const all = `It has ${atLeast}${plural(sessions, 'session')}`;
  if (live === 0) return `${all}.`;
  return `${all}; ${atLeast}${plural(live, 'turn is', 'turns are')} in progress and will be stopped.`;
}
