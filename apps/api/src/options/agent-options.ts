import type { Options } from '@chirality/contracts';
import { problems } from '../core/problem/problems';
import type { Principal } from '../access/principal';

/** An agent approves nothing in advance either: not by a mode that accepts changes, nor by a list of tools. */
export function refuseAgentApprovals(who: Principal, options: Options | undefined): void {
  if (who.identityClass !== 'agent' || options === undefined) return;
  if (options.permissionMode === 'acceptEdits' || (options.autoApproveTools ?? []).length > 0)
    throw problems.agentMayNotApprove();
}
