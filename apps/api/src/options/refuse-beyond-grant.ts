import type { Options } from '@chirality/contracts';
import type { OptionChange } from '@chirality/database';
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

/** In this mode nothing is asked: each of the others lets more happen. */
export const UNLESS_MODE = 'dontAsk';
/** What bounds a session; without it, what its project and team say holds. */
const BOUNDS = ['maxTurns', 'maxBudgetUsd', 'timeoutMs'] as const;

/**
 * An agent does not loosen what a person set for the session: it leaves plan mode where it has that command, but never
 * the mode in which nothing is asked, raises no bound, and removes nothing but the model. Throws AGENT_MAY_NOT_APPROVE.
 */
export function refuseLoosening(who: Principal, session: Options, change: OptionChange): void {
  if (who.identityClass !== 'agent') return;
  const { permissionMode } = change;
  const leaves = permissionMode !== undefined && permissionMode !== UNLESS_MODE;
  const isLoosened =
    (leaves && session.permissionMode === UNLESS_MODE) ||
    BOUNDS.some((bound) => Number(change[bound] ?? 0) > Number(session[bound] ?? Infinity)) ||
    Object.entries(change).some(([option, value]) => value === null && option !== 'model');
  if (isLoosened) throw problems.agentMayNotLoosen();
}

/** Both for a turn, whose options hold before the session's: they need the commands by which those are changed. */
export function refuseTurnOptions(who: Principal, options: Options, session: Options): void {
  refuseApprovals(who, options);
  refuseLoosening(who, session, options);
  const { model, permissionMode } = options;
  if (model !== undefined) requireCommand(who, 'session:set_model');
  if (permissionMode !== undefined) requireCommand(who, permissionMode === 'plan' ? 'plan:enter' : 'plan:exit');
}

function approves({ permissionMode, autoApproveTools = [], strict }: Options): boolean {
  return permissionMode === 'acceptEdits' || autoApproveTools.length > 0 || strict === false;
}
