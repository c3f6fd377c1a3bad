import { decideToolUse, type ToolDecision, type ToolUse } from '../src/permission/decide-tool-use';
import type { PermissionRule } from '../src/permission/rule';

export const WORKSPACE = '/workspace';
export const rule = (tool: string, pattern: string, effect: PermissionRule['effect'] = 'deny'): PermissionRule => ({
  tool,
  pattern,
  effect,
});
export const SECRET = [rule('Read', 'secret/**')];
export const ALLOWED = { autoApproveTools: ['Bash(*)', 'Read', 'Grep'] };

export function decide(tool: string, input: unknown, over: Partial<ToolUse> = {}): ToolDecision {
  return decideToolUse({
    tool,
    input,
    mode: 'workbench',
    permissionMode: 'default',
    strict: false,
    autoApproveTools: [],
    rules: SECRET,
    workspace: WORKSPACE,
    ...over,
  });
}
export const bash = (command: string, over: Partial<ToolUse> = {}): string =>
  decide('Bash', { command }, over).decision;
