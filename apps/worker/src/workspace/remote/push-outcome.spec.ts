import { createUrlOf } from './create-url';
import { pushOutcomeOf } from './push-outcome';

const COMMIT = 'c'.repeat(40);
const REMOTE = 'https://git.example.org/team/lamp.git';
const outcome = (text: string) => pushOutcomeOf(text, COMMIT, REMOTE);

describe('what came of a push', () => {
  it('is what the remote has', () => {
    expect(outcome(`pushed fix ${COMMIT} \n`)).toEqual({
      pushed: { branch: 'fix', commit: COMMIT, remote: REMOTE },
      isNew: true,
    });
    expect(outcome('already fix\n')).toMatchObject({ pushed: { branch: 'fix' }, isNew: false });
    expect(outcome(`pushed fix ${'d'.repeat(40)} \n`)).toMatchObject({ code: 'GIT_PUSH_REJECTED' });
  });

  it('has the address that the remote offers for a request, of its host alone', () => {
    const said = (url: string) =>
      `pushed fix ${COMMIT} \nremote: \nremote: Create a merge request:\nremote:   ${url}\n`;
    expect(outcome(said('https://git.example.org/team/lamp/-/merge_requests/new?x=fix'))).toMatchObject({
      pushed: { createUrl: 'https://git.example.org/team/lamp/-/merge_requests/new?x=fix' },
    });
    expect(outcome(said('https://evil.example.org/pull/new'))).toEqual({
      pushed: { branch: 'fix', commit: COMMIT, remote: REMOTE },
      isNew: true,
    });
  });

  it.each([
    ['! x:refs/heads/fix [rejected] (fetch first)', 'GIT_PUSH_REJECTED', /commits that this session lacks/],
    ['! x:refs/heads/fix [rejected] (stale info)', 'GIT_PUSH_REJECTED', /Nothing was replaced/],
    [
      '! x:refs/heads/fix [remote rejected] (protected branch hook declined)\nremote: error: GH006: Protected branch update failed.',
      'GIT_PROTECTED_BRANCH',
      /fix is protected.*GH006/,
    ],
    [
      '! x:refs/heads/fix [remote rejected] (pre-receive hook declined)\nremote: error: File a.bin is 120 MB; this exceeds the limit',
      'GIT_TOO_LARGE',
      /It says: error: File a\.bin/,
    ],
    [
      '! x:refs/heads/fix [remote rejected] (pre-receive hook declined)\nremote: \u001b[31mNo ticket\u0007 named\u202e.\u001b[0m',
      'GIT_PUSH_REJECTED',
      /refused the push to fix\. It says: No ticket named \.$/,
    ],
    ['! x:refs/heads/fix [remote rejected] (cannot lock ref)', 'GIT_PUSH_REJECTED', /cannot lock ref/],
  ])('%j is %s', (text, code, detail) => {
    expect(outcome(`rejected fix\n${text}\n`)).toMatchObject({ code, detail: expect.stringMatching(detail) as string });
  });

  it.each([
    ['https://github.com/o/r.git', 'https://github.com/o/r/pull/new/a/b%23c'],
    [
      'https://gitlab.example.org/o/g/r',
      'https://gitlab.example.org/o/g/r/-/merge_requests/new?merge_request%5Bsource_branch%5D=a%2Fb%23c',
    ],
    ['git@bitbucket.org:o/r.git', 'https://bitbucket.org/o/r/pull-requests/new?source=a%2Fb%23c'],
    ['https://codeberg.org/o/r', 'https://codeberg.org/o/r/compare/a/b%23c'],
    ['https://git.example.org/o/r', null],
  ])('a request for a branch of %s is opened at %s', (remote, url) => {
    expect(createUrlOf(remote, 'a/b#c', '')).toBe(url);
  });
});
