import { belongingsSentence } from './belongings-sentence';

describe('what becomes of what a removed member owns', () => {
  it.each([
    [
      'nothing',
      { privateSessions: 0, sharedSessions: 0, hasOwnKey: true },
      null,
      'They own no sessions. Their own API key is deleted.',
    ],
    [
      'sessions without an heir',
      { privateSessions: 1, sharedSessions: 2, hasOwnKey: false },
      null,
      '1 private session will be archived, and no one can open it any longer. 2 shared sessions will stay, managed by the team’s admins.',
    ],
    [
      'sessions with an heir',
      { privateSessions: 2, sharedSessions: 1, hasOwnKey: false },
      'Bo',
      'Bo becomes the owner of 2 private sessions and 1 shared session, and can read them.',
    ],
    [
      'an unknown number of sessions',
      undefined,
      null,
      'What they own could not be checked. Their private sessions will be archived, and no one can open them any longer.',
    ],
  ])('%s', (_, belongings, heir, sentence) => {
    expect(belongingsSentence(belongings, heir)).toBe(sentence);
  });
});
