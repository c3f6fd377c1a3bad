import { belongingsSentence } from './belongings-sentence';

describe('what becomes of what a removed member owns', () => {
  it.each([
    [
      'nothing',
      { privateSessions: 0, sharedSessions: 0, hasOwnKey: true, privateSessionsWithWork: 0 },
      null,
      'They own no sessions. Their own API key is deleted.',
    ],
    [
      'sessions without an heir',
      { privateSessions: 1, sharedSessions: 2, hasOwnKey: false, privateSessionsWithWork: 0 },
      null,
      '1 private session will be archived. Only they can open it, if you invite them again. 2 shared sessions will stay, managed by the team’s admins.',
    ],
    [
      'sessions with work that is not pushed',
      { privateSessions: 3, sharedSessions: 0, hasOwnKey: false, privateSessionsWithWork: 2 },
      null,
      '3 private sessions will be archived (2 may have work that is not pushed). Only they can open them, if you invite them again.',
    ],
    [
      'sessions with an heir',
      { privateSessions: 2, sharedSessions: 1, hasOwnKey: false, privateSessionsWithWork: 0 },
      'Bo',
      'Bo becomes the owner of 2 private sessions and 1 shared session, and can read them.',
    ],
    [
      'an unknown number of sessions',
      undefined,
      null,
      'What they own could not be checked. Their private sessions will be archived; only they can open them, if you invite them again.',
    ],
  ])('%s', (_, belongings, heir, sentence) => {
    expect(belongingsSentence(belongings, heir)).toBe(sentence);
  });
});
