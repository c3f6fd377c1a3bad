import { matchesWildcard } from './glob';
import { mentionsCommand } from './bash-rule';
import { matchesPath } from './path-pattern';
import { normalizeRule, type PermissionRule } from './rule';
import { isFileEdit } from './tool-classes';
import { runnableWords } from './wrappers';

const READS = new Set(['Read', 'Glob', 'Grep', 'LS', 'Ls']);

/** Whether a rule speaks of that tool: its name, the server of an MCP tool, `Edit` for all edits, `Read` for all reads. */
export function coversTool(ruleTool: string, tool: string): boolean {
  if (ruleTool === tool) return true;
  if (ruleTool === 'Edit') return isFileEdit(tool);
  if (ruleTool === 'Read') return READS.has(tool);
  if (ruleTool === 'Agent' || ruleTool === 'Task') return tool === 'Agent' || tool === 'Task';
  if (!ruleTool.startsWith('mcp__')) return false;
  return ruleTool.includes('*') ? matchesWildcard(ruleTool, tool) : tool.startsWith(`${ruleTool}__`);
}

/**
 * Whether a rule applies to a use of a tool that is no shell command: by path, by host, or by the kind of sub-agent or
 * skill. A pattern for anything else applies to nothing.
 */
export function appliesTo(rule: PermissionRule, tool: string, input: unknown, workspace?: string): boolean {
  if (!coversTool(rule.tool, tool)) return false;
  const { pattern } = normalizeRule(rule);
  if (pattern === null) return true;
  const path = pathOf(input);
  if (isFileEdit(tool) || READS.has(tool)) return path !== null && matchesPath(pattern, path, workspace);
  if (tool === 'WebFetch') return hostFits(pattern, hostOf(input));
  const name = textField(input, 'subagent_type') ?? textField(input, 'skill');
  return name !== null && matchesWildcard(pattern, name);
}

/** Whether a rule that refuses or asks applies; of a shell command any part is enough. */
export function restricts(rule: PermissionRule, tool: string, input: unknown, workspace?: string): boolean {
  if (tool !== 'Bash' || rule.tool !== 'Bash') return appliesTo(rule, tool, input, workspace);
  const { pattern } = normalizeRule(rule);
  if (pattern === null) return true;
  const command = textField(input, 'command') ?? '';
  if (command.trim() === pattern) return true;
  for (const words of runnableWords(command)) if (mentionsCommand(pattern, words)) return true;
  return false;
}

export function pathOf(input: unknown): string | null {
  return textField(input, 'file_path') ?? textField(input, 'notebook_path') ?? textField(input, 'path');
}

export function textField(input: unknown, name: string): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const value: unknown = (input as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}

export function hostOf(input: unknown): string | null {
  const url = textField(input, 'url');
  return url !== null && URL.canParse(url) ? new URL(url).hostname : null;
}

function hostFits(pattern: string, host: string | null): boolean {
  const wanted = pattern.replace(/^domain:/, '').toLowerCase();
  return host !== null && (host === wanted || (wanted.startsWith('*.') && host.endsWith(wanted.slice(1))));
}
