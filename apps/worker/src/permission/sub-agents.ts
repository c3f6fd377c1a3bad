import type { PermissionAgent } from '@chirality/contracts';

type StartedCall = { toolUseId: string; name: string; input: unknown; parentToolUseId?: string | undefined };

const STARTS_AGENT = new Set(['Agent', 'Task']);

/** Which sub-agent made a call, and what it was asked to do: as the calls that were seen tell. */
export class SubAgents {
  private readonly parents = new Map<string, string>();
  private readonly agents = new Map<string, PermissionAgent>();

  /** A call began; the one that starts a sub-agent comes before those that it makes. */
  started({ toolUseId, name, input, parentToolUseId }: StartedCall): void {
    if (parentToolUseId !== undefined) this.parents.set(toolUseId, parentToolUseId);
    if (!STARTS_AGENT.has(name)) return;
    const { subagent_type: type, description } = (typeof input === 'object' && input !== null ? input : {}) as Record<
      string,
      unknown
    >;
    this.agents.set(toolUseId, {
      type: typeof type === 'string' ? type : 'general-purpose',
      task: typeof description === 'string' ? description : '',
    });
  }

  /** `reportedType`: what the program said of it, where the call that started it was not seen. */
  askerOf(
    toolUseId: string,
    reportedType: string | null,
  ): { agent: PermissionAgent | null; parentToolUseId: string | null } {
    const parentToolUseId = this.parents.get(toolUseId) ?? null;
    const known = parentToolUseId === null ? undefined : this.agents.get(parentToolUseId);
    return { agent: known ?? (reportedType === null ? null : { type: reportedType, task: '' }), parentToolUseId };
  }
}
