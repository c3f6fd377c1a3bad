import { matchesWildcard, wildcardsMeet } from './glob';
import { mentionsCommand } from './bash-rule';
import type { FileUse } from './file-use';
import { filesOfCommand } from './files-of-command';
import { mayBeFile, patternsBelow } from './kept-back';
import { matchesPath } from './path-pattern';
import { normalizeRule, type PermissionRule } from './rule';
import { isFileEdit, isFileRead } from './tool-classes';
import { fixedPart, placeOf, textField, type PathContext } from './tool-place';
import { runnableWords } from './wrappers';

/** `realPaths`: what the call may really reach, where links lead it away from the path it names. */
export type Call = { tool: string; input: unknown; realPaths?: readonly string[] } & PathContext;

/**
 * Whether a rule speaks of that tool: its name, the server of an MCP tool, `Edit` for all edits, `Read` for all reads.
 */
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

/**
 * Whether a rule that refuses or asks applies; of a shell command, or of a path with links in it, any part is enough.
 */
export function restricts(rule: PermissionRule, call: Call): boolean {
  if (call.tool !== 'Bash') return fits(rule, call, (paths, isMeant) => paths.some(isMeant));
  const { tool, pattern } = normalizeRule(rule);
  if (tool !== 'Bash') return touches(rule, call) === 'surely';
  const command = textField(call.input, 'command') ?? '';
  if (pattern === null || command.trim() === pattern) return true;
  for (const words of runnableWords(command)) if (mentionsCommand(pattern, words)) return true;
  return false;
}

/** Whether a shell command does to a file that a rule means what the rule is about: reading, or editing. */
export function touches(rule: PermissionRule, call: Call): 'surely' | 'perhaps' | null {
  const { tool, pattern } = normalizeRule(rule);
  const does = tool === 'Read' ? 'read' : isFileEdit(tool) ? 'change' : null;
  if (call.tool !== 'Bash' || does === null || pattern === null) return null;
  const uses = filesNamedBy(call);
  if (uses === null) return 'perhaps';
  let found: 'perhaps' | null = null;
  for (const use of uses) {
    if (use.does !== does) continue;
    const how = meets(pattern, use, call.workspace);
    if (how === 'surely') return how;
    found ??= how;
  }
  return found;
}

/** The last part of a path that hardly is a directory's. */
const FILE_NAME = /[^/]\.\w{1,8}$/;

function meets(
  pattern: string,
  { path, what, glob, sure, names, skipsHidden }: FileUse,
  workspace: string | undefined,
): 'surely' | 'perhaps' | null {
  const isIt =
    mayBeFile(pattern, path, { glob, workspace }) || (what !== 'file' && matchesPath(pattern, path, workspace));
  if (isIt) return sure && !glob ? 'surely' : 'perhaps';
  if (what !== 'tree' || FILE_NAME.test(path)) return null;
  const below = patternsBelow(pattern, glob ? fixedPart(path) : path, workspace).filter((rest) => {
    const last = rest.at(-1) ?? '**';
    if (names !== undefined && last !== '**' && !wildcardsMeet(last, names.replace(/\?|\[.*\]/g, '*'))) return false;
    return !(skipsHidden && rest.some((segment) => segment.startsWith('.')));
  });
  return below.length > 0 ? 'perhaps' : null;
}

function fits(
  rule: PermissionRule,
  call: Call,
  judge: (paths: string[], isMeant: (path: string) => boolean) => boolean,
): boolean {
  const { tool, input, workspace } = call;
  if (!coversTool(rule.tool, tool)) return false;
  const { pattern } = normalizeRule(rule);
  if (pattern === null) return true;
  if (isFileEdit(tool) || isFileRead(tool)) {
    const place = placeOf(tool, input, call);
    return place !== null && judge([place, ...(call.realPaths ?? [])], (path) => matchesPath(pattern, path, workspace));
  }
  if (tool === 'WebFetch') return hostFits(pattern, hostOf(input));
  const name = textField(input, 'subagent_type') ?? textField(input, 'skill');
  return name !== null && matchesWildcard(pattern, name);
}

const filesOfCalls = new WeakMap<Call, FileUse[] | null>();

/** What a call of Bash does to files, null where it names too many; worked out once for all rules. */
function filesNamedBy(call: Call): FileUse[] | null {
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
