/** A rule as a session, project or persona carries it; `pattern` null means every use of the tool. `by`: who made it. */
export type PermissionRule = {
  tool: string;
  pattern: string | null;
  effect?: 'allow' | 'ask' | 'deny';
  by?: { userId: string; name: string };
};

const RULE_TEXT = /^([^()\s]+)(?:\(([\s\S]*)\))?$/;

/** Reads `Bash(git *)`, `Edit(src/**)` or a bare tool name. Null for anything else, which then allows nothing. */
export function parseRule(text: string): { tool: string; pattern: string | null } | null {
  const match = RULE_TEXT.exec(text.trim());
  if (!match?.[1]) return null;
  const pattern = match[2]?.trim();
  return { tool: match[1], pattern: pattern === undefined || pattern === '' || pattern === '*' ? null : pattern };
}

/** A rule whose pattern may be written with or without its tool around it: both `git *` and `Bash(git *)`. */
export function normalizeRule(rule: PermissionRule): PermissionRule {
  if (rule.pattern === null) return rule;
  const whole = parseRule(rule.pattern);
  const isWrapped = whole !== null && whole.tool === rule.tool;
  return {
    ...rule,
    pattern: isWrapped ? whole.pattern : (parseRule(`${rule.tool}(${rule.pattern})`)?.pattern ?? rule.pattern),
  };
}

export function ruleText(rule: { tool: string; pattern: string | null }): string {
  return rule.pattern === null ? rule.tool : `${rule.tool}(${rule.pattern})`;
}
