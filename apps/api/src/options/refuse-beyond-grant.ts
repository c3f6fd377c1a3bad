import type { Options } from '@chirality/contracts';
import { requireCommand, type Principal } from '../access/principal';
import { problems } from '../core/problem/problems';

/**
 * Options approve in advance by a mode that accepts changes, by a list of tools, and by ending strict mode. An agent
 * does none of it, and a token only where it may answer permission requests. Throws AGENT_MAY_NOT_APPROVE, TOKEN_SCOPE.
 */
export function refuseApprovals(who: Principal, options: Options | undefined): void {
  if (options === undefined || !approves(options)) return;
  if (who.identityClass === 'agent') throw problems.agentMayNotApprove();
  requireCommand(who, 'permission:answer');
}

/** The same for a turn, whose options hold before the session's: they need the commands by which those are changed. */
export function refuseTurnOptions(who: Principal, options: Options): void {
  refuseApprovals(who, options);
  const { model, permissionMode } = options;
  if (model !== undefined) requireCommand(who, 'session:set_model');
  if (permissionMode !== undefined) requireCommand(who, permissionMode === 'plan' ? 'plan:enter' : 'plan:exit');
}

function approves({ permissionMode, autoApproveTools = [], strict }: Options): boolean {
  return permissionMode === 'acceptEdits' || autoApproveTools.length > 0 || strict === false;
}
