import type { LimitedOption, ResolvedOptions, TurnError } from '@chirality/contracts';
import { limitText } from '@chirality/domain';
import type { Ending } from './turn-ending';

const OPTION_OF: Partial<Record<TurnError['code'], LimitedOption>> = {
  MAX_TURNS: 'maxTurns',
  TURN_TIMEOUT: 'timeoutMs',
};

/** As the page names it, and as the API does. */
const NAMES: Record<LimitedOption, string> = {
  maxTurns: '“Max. model turns” (maxTurns)',
  timeoutMs: '“Time limit” (timeoutMs)',
};
const NOUNS: Record<LimitedOption, string> = { maxTurns: 'limit', timeoutMs: 'time limit' };

/** The ending, with the limit that the turn reached where it reached one: how much it is, and who can raise it. */
export function namingLimit(ending: Ending, options: ResolvedOptions): Ending {
  const option = ending.error && OPTION_OF[ending.error.code];
  const resolved = option && options[option];
  if (!ending.error || !option || !resolved) return ending;
  const { value, limit } = resolved;
  const reached = `${NOUNS[option]} of ${limitText(option, value)}`;
  const detail =
    limit !== undefined && value >= limit.value
      ? `The turn reached the ${reached} set by the ${limit.from}. Send a message to continue, or ask an admin of the team to raise the limit.`
      : `The turn reached its ${reached}. Send a message to continue, or raise ${NAMES[option]}.`;
  return { ...ending, error: { ...ending.error, detail } };
}
