import type { EventPayload } from '@chirality/contracts';
import type { AnswerChannel } from '../harness';
import type { HarnessOutput } from '../harness-output';
import type { Decision, FromThread } from './thread/thread-protocol';

type HookEvent = Extract<FromThread, { type: 'hook_event' }>;
type HookWord = NonNullable<EventPayload<'hook:event'>['decision']>;
type Seen = { name: string; toolUseId?: string; agent?: string; atMs: number };

/** The hook whose answer decides whether a tool runs. */
const DECIDING = 'PreToolUse';

/**
 * The SDK's callbacks as the requests that the program's own protocol would make of them, so that what answers those
 * answers these; each hook also becomes an event, once it is answered.
 */
export class HookRequests implements AnswerChannel {
  private readonly open = new Map<string, Seen>();
  private closed = false;

  constructor(
    private readonly answer: (id: string, decision: Decision) => void,
    private readonly emit: (output: HarnessOutput) => void,
    private readonly programIsOpen: () => boolean,
  ) {}

  get isOpen(): boolean {
    return !this.closed && this.programIsOpen();
  }

  hook({ id, name, input, toolUseId }: HookEvent): void {
    const agent = input['agent_type'] ?? input['agent_id'];
    const call = toolUseId ?? input['tool_use_id'];
    const seen: Seen = {
      name,
      ...(typeof call === 'string' ? { toolUseId: call } : {}),
      ...(typeof agent === 'string' ? { agent } : {}),
      atMs: performance.now(),
    };
    this.open.set(id, seen);
    if (name !== DECIDING) return void this.respond(id, {});
    this.emit({
      type: 'control-request',
      requestId: id,
      request: { subtype: 'hook_callback', callback_id: 'pre-tool-use', input, tool_use_id: toolUseId ?? undefined },
    });
  }

  permission(id: string, request: Record<string, unknown>): void {
    this.emit({ type: 'control-request', requestId: id, request: { ...request, subtype: 'can_use_tool' } });
  }

  respond(id: string, response: Record<string, unknown>): boolean {
    return this.give(id, { response }, decisionIn(response));
  }

  respondError(id: string, error: string): boolean {
    return this.give(id, { error }, 'block');
  }

  /** Nothing more can be answered. */
  close(): void {
    this.closed = true;
    this.open.clear();
  }

  private give(id: string, decision: Decision, word: HookWord | undefined): boolean {
    if (!this.isOpen) return false;
    this.answer(id, decision);
    const seen = this.open.get(id);
    this.open.delete(id);
    if (seen) {
      const { atMs, ...hook } = seen;
      const elapsedMs = Math.max(0, Math.round(performance.now() - atMs));
      const payload = { ...hook, ...(word === undefined ? {} : { decision: word }), elapsedMs };
      this.emit({ type: 'event', event: { kind: 'hook:event', payload } });
    }
    return true;
  }
}

function decisionIn(response: Record<string, unknown>): HookWord | undefined {
  const hook = response['hookSpecificOutput'] as Record<string, unknown> | undefined;
  const decision = hook?.['permissionDecision'];
  return decision === 'allow' || decision === 'ask' || decision === 'deny' ? decision : undefined;
}
