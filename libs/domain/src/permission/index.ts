export { decideToolUse, NO_NETWORK, type ToolDecision, type ToolNetwork, type ToolUse } from './decide-tool-use';
export { intersectRules, ruleCovers } from './intersect-rules';
export { mayAnswerIn, mayWorkIn, type SessionPlace } from './may-answer';
export { isSensitivePath, matchesPath } from './path-pattern';
export { policyOfTurn, type PolicyInForce, type TurnPolicy } from './policy-in-force';
export { normalizeRule, parseRule, ruleText, type PermissionRule } from './rule';
export { parseCommand, type ParsedCommand, type SimpleCommand } from './shell/parse-command';
export { suggestPattern } from './suggest-pattern';
export { asksPeople, isFileEdit, isMutatingTool, isNetworkTool, isQuietTool } from './tool-classes';
