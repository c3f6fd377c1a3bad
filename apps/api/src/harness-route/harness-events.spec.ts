import type { Envelope, EventKind } from '@chirality/contracts';
import { HarnessEvents } from './harness-events';

const SESSION = 'sess_01J00000000000000000000000';
const event = (kind: EventKind, payload: object) =>
  ({ id: 1, kind, session: SESSION, turn: 'turn_1', originator: { system: true }, ts: '', payload }) as Envelope;
const say = (...events: Envelope[]) => {
  const harness = new HarnessEvents(SESSION);
  return events.flatMap((each) => harness.of(each));
};

describe('a turn in the words of the earlier harness', () => {
  it('has eight kinds of events, and nothing of sub-agents’ texts', () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
    const said = say(
      event('turn:queued', { message: 'hi' }),
      event('session:init', { claudeSessionId: 'c', model: 'm', tools: ['Bash'], cwd: '/workspace' }),
      event('chat:delta', { messageId: 'a', block: 0, text: 'He' }),
      event('chat:delta', { messageId: 'b', block: 0, text: 'aside', parentToolUseId: 't' }),
      event('chat:complete', { messageId: 'a', block: 0, text: 'Hello' }),
      event('tool:start', { toolUseId: 't', name: 'Bash', input: { command: 'ls' }, mutating: true }),
      event('tool:result', { toolUseId: 't', content: 'a.txt', isError: false, durationMs: 3 }),
      event('session:complete', { text: 'Hello', degraded: false, costUsd: '0.001234', unpricedMessages: 0, usage }),
      event('turn:end', { status: 'completed', costUsd: '0.001234', usage }),
    );
    expect(said).toEqual([
      { type: 'session:init', sessionId: SESSION, claudeSessionId: 'c', model: 'm', tools: ['Bash'] },
      { type: 'chat:delta', sessionId: SESSION, text: 'He' },
      { type: 'chat:complete', sessionId: SESSION, text: 'Hello' },
      { type: 'tool:start', sessionId: SESSION, toolUseId: 't', name: 'Bash', input: { command: 'ls' } },
      { type: 'tool:result', sessionId: SESSION, toolUseId: 't', content: 'a.txt', isError: false },
      {
        type: 'session:complete',
        sessionId: SESSION,
        costUsd: 0.001234,
        usage: {
          input_tokens: 1,
          output_tokens: 2,
          cache_read_input_tokens: 3,
          cache_creation_input_tokens: 4,
        },
      },
      { type: 'process:exit', sessionId: SESSION, code: 0, signal: null },
    ]);
  });

  it('ends with the process’s own exit, also where that came before the end of the turn', () => {
    const said = say(
      event('session:error', { code: 'PROCESS_CRASHED', detail: 'It crashed.', retryable: true }),
      event('process:exit', { code: null, signal: 'SIGKILL', attempt: 1, final: true }),
      event('turn:end', { status: 'failed', error: { code: 'PROCESS_CRASHED', detail: 'It crashed.' } }),
    );
    expect(said).toEqual([
      { type: 'session:error', sessionId: SESSION, error: 'It crashed.', code: 'PROCESS_CRASHED' },
      { type: 'process:exit', sessionId: SESSION, code: null, signal: 'SIGKILL' },
    ]);
  });

  it('says of every turn that was not completed that it failed, and how', () => {
    expect(say(event('turn:end', { status: 'timed_out' }))).toEqual([
      { type: 'session:error', sessionId: SESSION, error: 'The turn was timed out.', code: 'TIMED_OUT' },
      { type: 'process:exit', sessionId: SESSION, code: 1, signal: null },
    ]);
  });

  it('ends once, whatever ends it', () => {
    const harness = new HarnessEvents(SESSION);
    expect(harness.cut('The server restarts.', 'STREAM_CUT').map(({ type }) => type)).toEqual([
      'session:error',
      'process:exit',
    ]);
    expect(harness.cut('Again.', 'STREAM_CUT')).toEqual([]);
  });
});
