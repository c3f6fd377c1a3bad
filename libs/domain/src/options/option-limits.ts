import {
  LIMITED_OPTIONS,
  type LimitedOption,
  type OptionLimit,
  type OptionLimits,
  type Options,
} from '@chirality/contracts';

/** The limits that a project and its team set. */
export type LimitChain = { project?: OptionLimits | null; team?: OptionLimits | null };
/** The limit that holds for each option that has one. */
export type LimitsInForce = { [K in LimitedOption]?: OptionLimit | undefined };
/** An option that asks for more than its limit. */
type LimitBreach = { option: LimitedOption; limit: OptionLimit };

/** The lower limit of project and team; of two that are equal the team's, because lifting the project's would not help. */
export function limitsInForce({ project, team }: LimitChain): LimitsInForce {
  const inForce: LimitsInForce = {};
  for (const option of LIMITED_OPTIONS) {
    const ofTeam = team?.[option];
    const ofProject = project?.[option];
    if (ofTeam !== undefined) inForce[option] = { value: ofTeam, from: 'team' };
    if (ofProject !== undefined && (ofTeam === undefined || ofProject < ofTeam))
      inForce[option] = { value: ofProject, from: 'project' };
  }
  return inForce;
}

/** Every option of these that asks for more than it may. */
export function limitBreaches(asked: Options | OptionLimits, limits: LimitsInForce): LimitBreach[] {
  return LIMITED_OPTIONS.flatMap((option) => {
    const [value, limit] = [asked[option], limits[option]];
    return value !== undefined && limit !== undefined && value > limit.value ? [{ option, limit }] : [];
  });
}

/** A limited option's value with its unit: `40 model turns`, `30 min`. */
export function limitText(option: LimitedOption, value: number): string {
  if (option === 'timeoutMs') return timeText(value);
  return value === 1 ? '1 model turn' : `${value} model turns`;
}

/** `At most 30 min, set by the project.` */
export function limitSentence(option: LimitedOption, { value, from }: OptionLimit): string {
  return `At most ${limitText(option, value)}, set by the ${from}.`;
}

/** Exact, in as few units as it takes: `45 s`, `30 min`, `1 h 30 min`, `1.5 s`. */
function timeText(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1_000;
  const parts = [
    hours > 0 && `${hours} h`,
    minutes > 0 && `${minutes} min`,
    (seconds > 0 || ms === 0) && `${seconds} s`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}
