import type { ToolUse } from './decide-tool-use';
import type { PermissionRule } from './rule';

/** What a project and its session have decided about tools, as it stands at one moment. */
export type PolicyInForce = {
  /** The project's: no session may be less strict. */
  strict: boolean;
  /** The project's: what would be asked is approved. */
  autoApprove: boolean;
  /** Who switched that on. */
  autoApproveBy?: { userId: string; name: string } | null;
  /** The project's and the session's. */
  rules: readonly PermissionRule[];
  /** Whether the turn's author may answer this session's requests. */
  authorMayAnswer: boolean;
};

/**
 * What a turn brings along. `ownApprovals`: its list of approved tools was given by the session or by the turn itself.
 */
export type TurnPolicy = Omit<ToolUse, 'tool' | 'input' | 'rules' | 'autoApprove'> & { ownApprovals: boolean };

/**
 * Both together. What a person allowed in advance is an answer, so it holds for turns of people who may answer; what
 * denies, asks or is stricter holds for everyone.
 */
export function policyOfTurn(
  { ownApprovals, ...turn }: TurnPolicy,
  inForce: PolicyInForce,
): Omit<ToolUse, 'tool' | 'input'> {
  const { authorMayAnswer } = inForce;
  return {
    ...turn,
    strict: turn.strict || inForce.strict,
    autoApprove: inForce.autoApprove,
    autoApproveTools: authorMayAnswer || !ownApprovals ? turn.autoApproveTools : [],
    rules: authorMayAnswer
      ? inForce.rules
      : inForce.rules.filter(({ effect }) => effect === 'deny' || effect === 'ask'),
  };
}
