import { matchesWildcard } from './glob';
import { mentionsCommand } from './bash-rule';
import { filesOfCommand, type FilesOfCommand } from './command-paths';
import { mayBeFile } from './kept-back';
import { matchesPath } from './path-pattern';
import { normalizeRule, type PermissionRule } from './rule';
import { isFileEdit, isFileRead } from './tool-classes';
import { placeOf, textField, type Surroundings } from './tool-place';
import { runnableWords } from './wrappers';

/** `realPath`: the file or directory that the call really reaches, where links lead it away from the path it names. */
export type Call = { tool: string; input: unknown; realPath?: string | null } & Surroundings;

/** Whether a rule speaks of that tool: its name, the server of an MCP tool, `Edit` for all edits, `Read` for all reads. */
export function coversTool(ruleTool: string, tool: string): boolean {
  if (ruleTool === tool) return true;
  if (ruleTool === 'Edit') return isFileEdit(tool);
  if (ruleTool === 'Read') return isFileRead(tool);
  if (ruleTool === 'Agent' || ruleTool === 'Task') return tool === 'Agent' || tool === 'Task';
  if (!ruleTool.startsWith('mcp__')) return false;
  return ruleTool.includes('*') ? matchesWildcard(ruleTool, tool) : tool.startsWith(`${ruleTool}__`);
}

/**
 * Whether a rule that allows covers a use of a tool that is no shell command: by path, by host, or by the kind of
 * sub-agent or skill. A pattern for anything else covers nothing; of a path with links in it, what it says and what it
 * reaches have to be covered.
 */
export function permits(rule: PermissionRule, call: Call): boolean {
  return fits(rule, call, (paths, isMeant) => paths.every(isMeant));
}

/** Whether a rule that refuses or asks applies; of a shell command, or of a path with links in it, any part is enough. */
export function restricts(rule: PermissionRule, call: Call): boolean {
  if (call.tool !== 'Bash') return fits(rule, call, (paths, isMeant) => paths.some(isMeant));
  const { tool, pattern } = normalizeRule(rule);
  const command = textField(call.input, 'command') ?? '';
  if (tool !== 'Bash') return pattern !== null && touches(tool, pattern, call);
  if (pattern === null || command.trim() === pattern) return true;
  for (const words of runnableWords(command)) if (mentionsCommand(pattern, words)) return true;
  return false;
}

function fits(rule: PermissionRule, call: Call, judge: (paths: string[], isMeant: (path: string) => boolean) => boolean): boolean {
  const { tool, input, workspace } = call;
  if (!coversTool(rule.tool, tool)) return false;
  const { pattern } = normalizeRule(rule);
  if (pattern === null) return true;
  if (isFileEdit(tool) || isFileRead(tool)) {
    const place = placeOf(tool, input, call);
    return place !== null && judge([place, ...(call.realPath ? [call.realPath] : [])], (path) => matchesPath(pattern, path, workspace));
  }
  if (tool === 'WebFetch') return hostFits(pattern, hostOf(input));
  const name = textField(input, 'subagent_type') ?? textField(input, 'skill');
  return name !== null && matchesWildcard(pattern, name);
}

/** Whether a shell command names a file that a rule about reading or editing files means. */
function touches(ruleTool: string, pattern: string, call: Call): boolean {
  if (ruleTool !== 'Read' && !isFileEdit(ruleTool)) return false;
  const files = filesNamedBy(call);
  if (files === null) return true;
  const mayBe = (path: string): boolean => mayBeFile(pattern, path, call.workspace);
  const isMeant = (path: string): boolean => matchesPath(pattern, path, call.workspace);
  if (ruleTool === 'Read') return [...files.read].some(mayBe) || [...files.searched].some(isMeant);
  return [...files.changed].some((path) => isMeant(path) || mayBe(path));
}

const filesOfCalls = new WeakMap<Call, FilesOfCommand | null>();

/** What a call of Bash does to files, null where it names too many; worked out once for all rules. */
export function filesNamedBy(call: Call): FilesOfCommand | null {
  const known = filesOfCalls.get(call);
  if (known !== undefined) return known;
  const files = filesOfCommand(textField(call.input, 'command') ?? '', call);
  filesOfCalls.set(call, files);
  return files;
}

export function hostOf(input: unknown): string | null {
  const url = textField(input, 'url');
  return url !== null && URL.canParse(url) ? new URL(url).hostname : null;
}

function hostFits(pattern: string, host: string | null): boolean {
  const wanted = pattern.replace(/^domain:/, '').toLowerCase();
  return host !== null && (host === wanted || (wanted.startsWith('*.') && host.endsWith(wanted.slice(1))));
}
