import { foldEvents, emptyTranscript } from '@chirality/domain';
import type { Envelope } from '@chirality/contracts';
import { logOf } from './log-text';

const events = (...payloads: [string, object][]) =>
  payloads.map(
    ([kind, payload], index) =>
      ({
        id: index + 1,
        kind,
        session: 'sess_1',
        turn: 'turn_1',
        originator: { userId: 'user_1', clientId: 'c', identityClass: 'agent' },
        ts: '2026-01-01T00:00:00.000Z',
        payload,
      }) as Envelope,
  );

describe('the log of a session', () => {
  const state = foldEvents(
    emptyTranscript(),
    events(
      ['turn:queued', { turnKind: 'message', message: 'List the files', position: null }],
      ['tool:start', { toolUseId: 't', name: 'Bash', input: { command: 'ls' }, mutating: true }],
      ['tool:result', { toolUseId: 't', content: 'a ``` b', isError: false, durationMs: 1 }],
      ['chat:complete', { messageId: 'm', block: 0, text: 'There is one.' }],
    ),
  );

  it('says who said what, with tools and what they said', () => {
    const text = logOf(state, false);
    expect(text).toContain('List the files');
    expect(text).toContain('### Bash, succeeded');
    expect(text).toContain('````\na ``` b\n````');
    expect(text.indexOf('There is one.')).toBeGreaterThan(text.indexOf('a ``` b'));
    expect(text).not.toContain('left out');
  });

  it('says that something is left out', () => expect(logOf(state, true)).toMatch(/^\(Earlier turns are left out\.\)/));
});
