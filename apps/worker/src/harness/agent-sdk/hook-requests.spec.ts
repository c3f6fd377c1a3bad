import type { HarnessOutput } from '../harness-output';
import { HookRequests } from './hook-requests';
import type { Decision } from './thread/thread-protocol';

function setUp() {
  const decisions: [string, Decision][] = [];
  const outputs: HarnessOutput[] = [];
  let isOpen = true;
  const requests = new HookRequests(
    (id, decision) => decisions.push([id, decision]),
    (output) => outputs.push(output),
    () => isOpen,
  );
  return { requests, decisions, outputs, end: () => (isOpen = false) };
}

const PRE = {
  type: 'hook_event',
  id: 'q1',
  name: 'PreToolUse',
  input: { agent_type: 'Explore' },
  toolUseId: 't1',
} as const;

describe('hooks as requests', () => {
  it('lets the thread name no other kind of request', () => {
    const { requests, outputs } = setUp();
    requests.permission('q2', { subtype: 'hook_callback', tool_name: 'Bash' });
    expect(outputs).toEqual([
      { type: 'control-request', requestId: 'q2', request: { subtype: 'can_use_tool', tool_name: 'Bash' } },
    ]);
  });

  it('asks about a tool as the program’s own protocol would, and says what came of it', () => {
    const { requests, decisions, outputs } = setUp();
    requests.hook(PRE);
    expect(outputs).toEqual([
      {
        type: 'control-request',
        requestId: 'q1',
        request: {
          subtype: 'hook_callback',
          callback_id: 'pre-tool-use',
          input: { agent_type: 'Explore' },
          tool_use_id: 't1',
        },
      },
    ]);
    const response = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } };
    expect(requests.respond('q1', response)).toBe(true);
    expect(decisions).toEqual([['q1', { response }]]);
    const payload = {
      name: 'PreToolUse',
      toolUseId: 't1',
      agent: 'Explore',
      decision: 'ask',
      elapsedMs: expect.any(Number),
    };
    expect(outputs[1]).toEqual({ type: 'event', event: { kind: 'hook:event', payload } });
  });

  it('blocks what could not be decided', () => {
    const { requests, decisions, outputs } = setUp();
    requests.hook(PRE);
    requests.respondError('q1', 'a fault');
    expect(decisions).toEqual([['q1', { error: 'a fault' }]]);
    expect(outputs[1]).toMatchObject({ event: { payload: { decision: 'block' } } });
  });

  it('lets every other hook pass at once', () => {
    const { requests, decisions, outputs } = setUp();
    requests.hook({ type: 'hook_event', id: 'q2', name: 'Stop', input: {}, toolUseId: null });
    expect(decisions).toEqual([['q2', { response: {} }]]);
    expect(outputs).toEqual([
      { type: 'event', event: { kind: 'hook:event', payload: { name: 'Stop', elapsedMs: expect.any(Number) } } },
    ]);
  });

  it('answers nothing once the program is gone', () => {
    const { requests, decisions, end } = setUp();
    requests.hook(PRE);
    end();
    expect([requests.isOpen, requests.respond('q1', {}), decisions]).toEqual([false, false, []]);
  });
});
