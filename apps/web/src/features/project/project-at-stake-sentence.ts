import { plural } from '../../lib/format/count';

type ProjectAtStake = { sessions: number; live: number; isMore: boolean };

/** The list of sessions leaves these out, and archiving concerns them too. */
const NOT_COUNTED = 'Private sessions of other people are not counted.';

/** What archiving a project concerns, as far as one sees it. */
export function projectAtStakeSentence({ sessions, live, isMore }: ProjectAtStake): string {
  if (sessions === 0) return `It has no sessions that you can see. ${NOT_COUNTED}`;
  const atLeast = isMore ? 'at least ' : '';
  const all = `It has ${atLeast}${plural(sessions, 'session')}`;
  if (live === 0) return `${all}. ${NOT_COUNTED}`;
  return `${all}; ${atLeast}${plural(live, 'turn is', 'turns are')} in progress and will be stopped. ${NOT_COUNTED}`;
}
