import { createHmac } from 'node:crypto';
import { mentionedPullRequests } from './mentioned-pull-requests';
import { verifyDelivery } from './verify-delivery';

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = Buffer.from('{"action":"completed"}');
const hex = (secret: string, body = BODY) => createHmac('sha256', secret).update(body).digest('hex');
const NOW = 1_700_000_000_000;
const standard = (id: string, seconds: number, body = BODY) => ({
  'webhook-id': id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': `v1,${createHmac('sha256', KEY).update(`${id}.${seconds}.`).update(body).digest('base64')}`,
});

describe('a delivery of a git host', () => {
  it.each([
    [
      'GitHub',
      'github',
      { 'x-hub-signature-256': `sha256=${hex(SECRET)}`, 'x-github-event': 'check_run' },
      'check_run',
    ],
    [
      'Gitea, which also signs as GitHub does',
      'gitea',
      { 'x-gitea-signature': hex(SECRET), 'x-hub-signature-256': `sha256=${hex(SECRET)}`, 'x-gitea-event': 'push' },
      'push',
    ],
    ['Forgejo', 'gitea', { 'x-forgejo-signature': hex(SECRET), 'x-forgejo-event': 'pull_request' }, 'pull_request'],
    [
      'GitLab with a token',
      'gitlab',
      { 'x-gitlab-token': SECRET, 'x-gitlab-event': 'Merge Request Hook' },
      'Merge Request Hook',
    ],
    ['GitLab with a signature', 'gitlab', { ...standard('a', NOW / 1_000), 'x-gitlab-event': 'Job Hook' }, 'Job Hook'],
  ])('is taken from %s', (_name, host, headers, event) => {
    expect(verifyDelivery(headers, BODY, SECRET, NOW)).toMatchObject({ host, event });
  });

  it.each([
    ['no signature', {}],
    ['another body', { 'x-hub-signature-256': `sha256=${hex(SECRET, Buffer.from('{}'))}` }],
    ['another secret', { 'x-gitea-signature': hex('whsec_other') }],
    ['an empty signature', { 'x-hub-signature-256': '' }],
    ['a signature of SHA-1 alone', { 'x-hub-signature': 'sha1=00' }],
    ['a token that begins like the secret', { 'x-gitlab-token': SECRET.slice(0, -1) }],
    ['a signed time that is over', standard('a', NOW / 1_000 - 301)],
    ['a time that was changed', { ...standard('a', NOW / 1_000), 'webhook-timestamp': String(NOW / 1_000 + 1) }],
    ['a signature without an id', { 'webhook-signature': standard('a', NOW / 1_000)['webhook-signature'] }],
    // Gitea's wrong signature is not saved by another header.
    ['one wrong signature of two', { 'x-gitea-signature': '00', 'x-hub-signature-256': `sha256=${hex(SECRET)}` }],
  ])('is refused with %s', (_name, headers) => {
    expect(typeof verifyDelivery(headers, BODY, SECRET, NOW)).toBe('string');
  });

  it('is the same one under another name, where the name is not signed', () => {
    const signed = { 'x-hub-signature-256': `sha256=${hex(SECRET)}` };
    const keysOf = (delivery: string) => {
      const verified = verifyDelivery({ ...signed, 'x-github-delivery': delivery }, BODY, SECRET);
      return typeof verified === 'string' ? [] : verified.keys;
    };
    expect(keysOf('one')[0]).toBe(keysOf('two')[0]);
    expect(keysOf('one')[1]).not.toBe(keysOf('two')[1]);
  });
});

describe('the pull requests that a delivery mentions', () => {
  const read = (payload: unknown) => mentionedPullRequests(Buffer.from(JSON.stringify(payload)), 'application/json');

  it.each([
    [
      { number: 3, pull_request: { number: 3 } },
      { numbers: [3, 3], branches: [] },
    ],
    [
      { check_run: { pull_requests: [{ number: 4 }], check_suite: { head_branch: 'b' } } },
      { numbers: [4], branches: ['b'] },
    ],
    [{ object_attributes: { iid: 5 } }, { numbers: [5], branches: [] }],
    [{ object_attributes: { id: 1, ref: 'topic' } }, { numbers: [], branches: ['topic'] }],
    [
      { ref: 'refs/heads/x/y', branches: [{ name: 'z' }] },
      { numbers: [], branches: ['z', 'x/y'] },
    ],
    [
      { number: '3', pull_request: null, branches: 'no', issue: { number: -1 } },
      { numbers: [], branches: [] },
    ],
    [null, { numbers: [], branches: [] }],
  ])('are read from %j', (payload, expected) => {
    expect(read(payload)).toEqual(expected);
  });

  it('are read from a form, and none from what is no JSON', () => {
    const form = new URLSearchParams({ payload: '{"number":7}' }).toString();
    expect(mentionedPullRequests(Buffer.from(form), 'application/x-www-form-urlencoded').numbers).toEqual([7]);
    expect(mentionedPullRequests(Buffer.from('{'), undefined)).toEqual({ numbers: [], branches: [] });
  });
});
