import { patchOfInput, type FilePatch, type PermissionItem } from '@chirality/domain';

type Input = Record<string, unknown>;

/**
 * What a person decides on, without anything left out: the main thing as text or as a change, and every other field.
 */
export type ApprovedInput = {
  patch: FilePatch | null;
  text: string | null;
  isCommand: boolean;
  others: { name: string; value: string }[];
};

const SHOWN_AS_PATCH = ['file_path', 'notebook_path', 'content', 'old_string', 'new_string', 'new_source'];

function fieldsOf(input: unknown): Input {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Input) : {};
}

function others(input: Input, shown: readonly string[]): ApprovedInput['others'] {
  return Object.entries(input)
    .filter(([name, value]) => !shown.includes(name) && value !== undefined && value !== null && value !== false)
    .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }));
}

/** The edits of a MultiEdit say more than a change of text when one of them replaces every occurrence. */
function withoutPlainEdits(input: Input): Input {
  if (!Array.isArray(input.edits)) return input;
  const more = input.edits
    .map((edit: unknown) => others(fieldsOf(edit), SHOWN_AS_PATCH))
    .filter((fields) => fields.length > 0);
  return { ...input, edits: more.length === 0 ? undefined : more };
}

export function approvedInput({ tool, input }: Pick<PermissionItem, 'tool' | 'input'>): ApprovedInput {
  const fields = fieldsOf(input);
  const patch = patchOfInput(tool, input);
  if (patch !== null)
    return { patch, text: null, isCommand: false, others: others(withoutPlainEdits(fields), SHOWN_AS_PATCH) };
  if (tool === 'Bash' && typeof fields.command === 'string')
    return { patch: null, text: fields.command, isCommand: true, others: others(fields, ['command', 'description']) };
  return { patch: null, text: JSON.stringify(input, null, 2) ?? '', isCommand: false, others: [] };
}

/** The rules that an answer for the whole session would store, each as it will be stored. */
export function offeredRules({
  pattern,
  patterns,
}: {
  pattern?: string | null;
  patterns?: readonly string[] | undefined;
}): string[] {
  if (patterns !== undefined && patterns.length > 0) return [...patterns];
  return pattern == null ? [] : [pattern];
}

/** `Bash(npm test *)` is shown as `npm test *`; of every other tool the whole rule is shown. */
export function ruleWords(rule: string): string {
  return /^Bash\(([\s\S]*)\)$/.exec(rule)?.[1] ?? rule;
}
