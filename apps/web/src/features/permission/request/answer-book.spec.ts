import type { Permission, PermissionDecision } from '@chirality/contracts';
import { ApiError, networkError } from '../../../lib/http/api-error';
import type { KeyValueStore } from '../../../lib/state/storage';
import { SessionNotices } from '../../../lib/notices/session-notices';
import { AnswerBook, type Asked } from './answer-book';
import { AnswerDrafts, EMPTY_DRAFT } from '../../../lib/permission/answer-drafts';

const asked: Asked = { sessionId: 'sess_a', sessionTitle: 'Shop', permissionId: 'perm_1', kind: 'tool' };
const ada = { userId: 'user_ada', name: 'Ada' };
const me = { userId: 'user_me', name: 'Me' };
const deny: PermissionDecision = { decision: 'deny', reason: 'Use UTC.\nPlease.' };

function memory(): KeyValueStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => values.set(key, value).has(key),
    remove: (key) => void values.delete(key),
    keys: (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
  };
}

function open(answer: () => Promise<Permission>) {
  const store = memory();
  const notices = new SessionNotices(store);
  const drafts = new AnswerDrafts(store, me.userId, () => 1_000);
  const sent: unknown[] = [];
  const book = new AnswerBook({
    myId: me.userId,
    drafts,
    notices,
    send: (reply) => {
      sent.push(reply);
      return answer();
    },
    onGiven: () => undefined,
  });
  return { book, drafts, notices, sent, shown: () => notices.entries.get(), store };
}

function resolved(outcome: 'allowed' | 'denied', by: typeof ada | null): ApiError {
  return new ApiError({
    status: 409,
    code: 'PERMISSION_RESOLVED',
    detail: '',
    problem: { permission: { outcome, resolvedBy: by, resolvedReason: null } },
  });
}

describe('the outcome of an answer', () => {
  it('stays given where its first reply was lost, the conversation shows it, and it is given again meanwhile', async () => {
    let refuse: (error: unknown) => void = () => undefined;
    const { book, shown } = open(() => new Promise((_, reject) => (refuse = reject)));
    book.show(asked);
    const first = book.give(asked, deny);
    refuse(new ApiError({ status: 0, code: 'NETWORK', detail: '' }));
    await first;
    const again = book.give(asked, deny);
    book.settled(asked, { outcome: 'denied', by: me, reason: null });
    refuse(resolved('denied', me));
    await again;
    expect([book.states.get().get('perm_1'), shown()]).toEqual([{ status: 'given' }, []]);
  });

  it('says to the loser of a race who was first, and gives the reason back, until it is dismissed', async () => {
    const { book, notices, shown, store } = open(() => Promise.reject(resolved('allowed', ada)));
    book.show(asked)();
    await book.give(asked, deny);
    expect(shown()).toEqual([
      {
        id: 'perm_1',
        sessionId: 'sess_a',
        sessionTitle: 'Shop',
        tone: 'info',
        text: 'Ada allowed this a moment before you.',
        words: 'Use UTC.\nPlease.',
      },
    ]);
    expect(new SessionNotices(store).entries.get()).toEqual(shown());
    notices.dismiss('perm_1');
    expect(shown()).toEqual([]);
  });

  it('says so as well while the reason is still being written', () => {
    const { book, drafts, shown } = open(() => Promise.reject(networkError()));
    drafts.write('perm_1', { ...EMPTY_DRAFT, reason: 'not on main' });
    book.settled(asked, { outcome: 'allowed', by: ada, reason: null });
    expect(shown()).toMatchObject([{ text: 'Ada allowed this a moment before you.', words: 'not on main' }]);
    expect(drafts.read('perm_1')).toEqual(EMPTY_DRAFT);
  });

  it('keeps a failed answer on its card with what to do, and sends nothing again', async () => {
    const { book, sent, shown } = open(() => Promise.reject(networkError()));
    book.show(asked);
    await book.give(asked, deny);
    expect(book.states.get().get('perm_1')).toEqual({
      status: 'failed',
      sentence: 'Your answer was not sent: the server cannot be reached. Check your connection and answer again.',
    });
    expect([sent.length, shown()]).toEqual([1, []]);
  });

  it('reports an answer that failed after its session was left, with the session’s name and the words', async () => {
    const { book, shown } = open(() => Promise.reject(networkError()));
    const leave = book.show(asked);
    const given = book.give(asked, deny);
    leave();
    await given;
    expect(shown()).toMatchObject([
      { sessionId: 'sess_a', sessionTitle: 'Shop', tone: 'bad', words: 'Use UTC.\nPlease.' },
    ]);
  });

  it('says nothing more of an answer that counted, even where its confirmation was lost', async () => {
    const { book, shown } = open(() => Promise.reject(networkError()));
    const leave = book.show(asked);
    await book.give(asked, deny);
    leave();
    book.settled(asked, { outcome: 'denied', by: me, reason: 'Use UTC.' });
    expect(shown()).toEqual([]);
  });

  it.each([
    ['the refusal', () => resolved('allowed', ada)],
    ['no answer at all', () => networkError()],
  ])('gives own words back where the conversation is faster than %s', async (_, failure) => {
    let refuse: (error: Error) => void = () => undefined;
    const { book, drafts, shown } = open(() => new Promise((_resolve, reject) => (refuse = reject)));
    book.show(asked);
    drafts.write('perm_1', { ...EMPTY_DRAFT, written: { 'Which?': 'neither' }, isOwn: { 'Which?': true } });
    const given = book.give(asked, { decision: 'allow_once', answers: { 'Which?': { chosen: [], own: 'neither' } } });
    book.settled(asked, { outcome: 'allowed', by: ada, reason: null });
    refuse(failure());
    await given;
    expect(shown()).toMatchObject([{ tone: 'info', text: 'Ada allowed this a moment before you.', words: 'neither' }]);
  });

  it('does not say that an answer was not sent which the conversation has shown', async () => {
    let refuse: (error: Error) => void = () => undefined;
    const { book, shown } = open(() => new Promise((_resolve, reject) => (refuse = reject)));
    const leave = book.show(asked);
    const given = book.give(asked, deny);
    book.settled(asked, { outcome: 'denied', by: me, reason: 'Use UTC.' });
    leave();
    refuse(networkError());
    await given;
    expect(shown()).toEqual([]);
  });

  it.each([
    [
      'question',
      { outcome: 'denied', by: ada, reason: 'Ask later' },
      'Ada skipped this a moment before you. Reason: Ask later',
    ],
    ['plan', { outcome: 'allowed', by: me, reason: null }, 'You had already approved this in another window.'],
    [
      'tool',
      { outcome: 'denied', by: null, reason: 'the rule Bash(rm *) denies it' },
      'This was denied by a rule a moment before you. Reason: the rule Bash(rm *) denies it',
    ],
    [
      'tool',
      { outcome: 'expired', by: null, reason: null },
      'The time for this request had run out before your answer. Nothing was changed.',
    ],
    [
      'tool',
      { outcome: 'run_ended', by: null, reason: null },
      'The turn had ended before your answer. Nothing was changed.',
    ],
  ] as const)('of a %s: %j', (kind, decided, sentence) => {
    const { book, drafts, shown } = open(() => Promise.reject(networkError()));
    drafts.write('perm_1', { ...EMPTY_DRAFT, reason: 'mine' });
    book.settled({ ...asked, kind }, decided);
    expect(shown()).toMatchObject([{ text: sentence, words: 'mine' }]);
  });

  it('is silent for who had neither pressed nor written anything', () => {
    const { book, shown } = open(() => Promise.reject(networkError()));
    book.settled(asked, { outcome: 'allowed', by: ada, reason: null });
    expect(shown()).toEqual([]);
  });

  it('keeps what was written for an open request over a reload, for its writer only, and not for ever', () => {
    const { drafts, store } = open(() => Promise.reject(networkError()));
    const draft = {
      reason: 'because',
      chosen: { Which: ['A'] },
      written: { Which: 'own\nwords' },
      isOwn: { Which: true },
    };
    drafts.write('perm_1', draft);
    expect(new AnswerDrafts(store, me.userId, () => 2_000).read('perm_1')).toEqual(draft);
    expect(new AnswerDrafts(store, ada.userId, () => 2_000).read('perm_1')).toEqual(EMPTY_DRAFT);
    expect(new AnswerDrafts(store, me.userId, () => 8 * 24 * 3_600_000).read('perm_1')).toEqual(EMPTY_DRAFT);
  });
});
