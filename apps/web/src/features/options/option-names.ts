import {
  LIMITED_OPTIONS,
  type Effort,
  type LimitedOption,
  type OptionOrigin,
  type PermissionMode,
} from '@chirality/contracts';
import { limitText, modelName } from '@chirality/domain';
import { formatUsd } from '../../lib/format/money';

export const OPTION_NAMES: Record<string, string> = {
  model: 'Model',
  effort: 'Effort',
  maxTurns: 'Max. model turns',
  permissionMode: 'Permissions',
  tools: 'Tools',
  disallowedTools: 'Denied tools',
  autoApproveTools: 'Allowed without asking',
  strict: 'Strict',
  appendPrompt: 'Further instructions',
  maxBudgetUsd: 'Budget per turn',
  timeoutMs: 'Time limit',
  context: 'Conversation',
};

export const PERMISSION_MODE_NAMES: Record<PermissionMode, string> = {
  default: 'Ask before changes',
  acceptEdits: 'Edit without asking',
  plan: 'Plan first',
  dontAsk: 'Never ask (deny)',
};

export const EFFORT_NAMES: Record<Effort, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
  max: 'Maximum',
};

export const ORIGIN_NAMES: Record<OptionOrigin, string> = {
  turn: 'turn',
  session: 'session',
  persona: 'persona',
  project: 'project',
  team: 'team',
  'built-in': 'built in',
};

/** A value of an option as a person reads it. */
export function optionText(key: string, value: unknown): string {
  if (key === 'model' && typeof value === 'string') return modelName(value);
  if (key === 'permissionMode') return PERMISSION_MODE_NAMES[value as PermissionMode] ?? String(value);
  if (key === 'effort') return EFFORT_NAMES[value as Effort] ?? String(value);
  if (key === 'timeoutMs' && typeof value === 'number') return limitText(key, value);
  if (key === 'maxBudgetUsd' && typeof value === 'string') return formatUsd(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** Whether it is an option that a project or a team can limit. */
export function isLimited(key: string): key is LimitedOption {
  return (LIMITED_OPTIONS as readonly string[]).includes(key);
}

/** The options that the forms ask for, in their order. */
export const FORM_OPTIONS = ['model', 'effort', 'permissionMode', 'maxTurns', 'timeoutMs', 'maxBudgetUsd'] as const;

/** A session's own options in one sentence, for those who see them change. */
export function optionsSentence(options: Readonly<Record<string, unknown>>): string {
  const set = FORM_OPTIONS.filter((key) => options[key] !== undefined).map(
    (key) => `${OPTION_NAMES[key]}: ${optionText(key, options[key])}`,
  );
  return set.length === 0 ? 'The session uses the defaults' : set.join(' · ');
}
