import type { PermissionMode, SessionMode } from '@chirality/contracts';
import { asksPeople, isFileEdit, isNetworkTool, isQuietTool } from './tool-classes';

/** A rule as a session, project or persona carries it; `pattern` null means every use of the tool. */
export type PermissionRule = { tool: string; pattern: string | null; effect?: 'allow' | 'ask' | 'deny' };

export type ToolUse = {
  tool: string;
  input: unknown;
  mode: SessionMode;
  permissionMode: PermissionMode;
  strict: boolean;
  autoApproveTools: readonly string[];
  rules: readonly PermissionRule[];
  disallowedTools?: readonly string[];
  /** Whether the project's egress list allows anything at all. */
  networkAllowed?: boolean;
};

export type ToolDecision = { decision: 'allow' | 'ask' | 'deny'; reason: string; pattern: string | null };

/** What happens to one use of a tool. Where nobody can be asked, what would ask is denied. */
export function decideToolUse(use: ToolUse): ToolDecision {
  const decision = weigh(use);
  if (decision.decision !== 'ask') return decision;
  if (use.mode === 'pipeline') return { ...decision, decision: 'deny', reason: `${decision.reason}; a pipeline never waits for a person` };
  if (use.permissionMode === 'dontAsk') return { ...decision, decision: 'deny', reason: `${decision.reason}; this session does not ask` };
  return decision;
}

/** A pattern that a person may allow for the rest of the session instead of this one use; null when none is safe. */
export function suggestPattern(_tool: string, _input: unknown): string | null {
  return null;
}

function weigh({ tool, input, permissionMode, strict, rules, autoApproveTools, disallowedTools = [], networkAllowed = false }: ToolUse): ToolDecision {
  if (disallowedTools.includes(tool)) return { decision: 'deny', reason: `${tool} is switched off here`, pattern: null };
  if (isNetworkTool(tool) && !networkAllowed) return { decision: 'deny', reason: 'this project allows no network access', pattern: null };
  if (asksPeople(tool)) return { decision: 'ask', reason: 'this needs a person to answer', pattern: null };
  if (isFileEdit(tool) && permissionMode === 'plan') return { decision: 'deny', reason: 'nothing is changed in plan mode', pattern: null };
  if (rules.some((rule) => rule.tool === tool && rule.pattern === null) || autoApproveTools.includes(tool)) {
    return { decision: 'allow', reason: `${tool} is allowed here`, pattern: tool };
  }
  if (isQuietTool(tool)) return { decision: 'allow', reason: `${tool} changes nothing`, pattern: null };
  if (isFileEdit(tool) && !strict) return { decision: 'allow', reason: 'edits inside the workspace are allowed', pattern: null };
  return { decision: 'ask', reason: `${tool} may change something`, pattern: suggestPattern(tool, input) };
}
