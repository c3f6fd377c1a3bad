import { normalizeRule, parseRule, type PermissionRule } from '@chirality/domain';

/** What a user typed as a rule; null when it names no tool. */
export function readRuleInput(text: string): Pick<PermissionRule, 'tool' | 'pattern'> | null {
  const rule = parseRule(text);
  if (rule === null) return null;
  const { tool, pattern } = normalizeRule(rule);
  return { tool, pattern };
}
