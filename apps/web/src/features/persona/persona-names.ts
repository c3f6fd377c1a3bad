import type { PersonaNarrowing, PersonaOrigin, PersonaProblem } from '@chirality/contracts';

export const ORIGIN_NAMES: Record<PersonaOrigin, string> = { project: 'Project', team: 'Team', 'built-in': 'Built in' };

const OPTIONS: Record<string, string> = {
  tools: 'Tools',
  disallowedTools: 'Denied tools',
  autoApproveTools: 'Allowed without asking',
  maxTurns: 'Max. model turns',
  model: 'Model',
};

export function optionName(option: string): string {
  return OPTIONS[option] ?? option;
}

/** A value of an option as a person reads it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'default';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  return String(value);
}

export function narrowingText({ option, asked }: PersonaNarrowing): string {
  return `${optionName(option)}: ${valueText(asked)}`;
}

/** Where in which file, and what. */
export function problemText({ file, line, field, detail }: PersonaProblem): string {
  return `${file}:${line}: ${field === null ? '' : `${field}: `}${detail}`;
}
