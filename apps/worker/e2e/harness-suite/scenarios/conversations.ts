import type { Scenario } from '../scenario';

/** How a conversation continues, is lost, and is compacted. */
export const conversations: Scenario[] = [
  {
    name: 'a later turn knows the earlier ones, and is the same conversation',
    proves: 'H6 H17',
    turns: [
      { says: '[[text The word is cobalt.]]', ends: { status: 'completed' } },
      { says: '[[text And the number seven.]]', ends: { status: 'completed' } },
      {
        says: '[[text I know both.]]',
        ends: { status: 'completed', text: 'I know both.' },
        shows: async (seen) => {
          for (const word of ['cobalt', 'seven']) expect(seen.lastAsked).toContain(word);
          expect(
            new Set(
              seen.watched.live
                .filter(({ kind }) => kind === 'session:init')
                .map(({ payload }) => (payload as { claudeSessionId: string }).claudeSessionId),
            ).size,
          ).toBe(1);
        },
      },
    ],
  },
  {
    // As where a conversation was begun on the demo model, or with a key of another service.
    name: 'a conversation whose thinking the model’s service does not know continues without that thinking',
    proves: 'H6 H10',
    turns: [
      { says: '[[thinking Marmalade]]&[[text The word is cobalt.]]', ends: { status: 'completed' } },
      {
        says: '[[error 400 times=1 message="messages.1.content.0: Invalid `signature` in `thinking` block"]] [[text Still cobalt.]]',
        ends: { status: 'completed', text: 'Still cobalt.', attempt: 1 },
        shows: (seen) => {
          expect(seen.lastAsked).toContain('cobalt');
          const sent = seen.requests
            .slice(-2)
            .map(({ body }) => JSON.stringify(body).includes('"thinking":"Marmalade"'));
          expect(sent).toEqual([true, false]);
        },
      },
      {
        says: '[[text And on.]]',
        ends: { status: 'completed', text: 'And on.' },
        shows: (seen) => expect(seen.lastAsked).toContain('cobalt'),
      },
    ],
  },
  {
    name: 'what each turn of a conversation cost is counted once',
    proves: 'C2',
    turns: [
      {
        says: '[[usage input=1000 output=10]]&[[text One.]]',
        ends: {
          status: 'completed',
          usage: { inputTokens: 1000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 },
        },
      },
      {
        says: '[[usage input=2000 output=20]]&[[text Two.]]',
        ends: {
          status: 'completed',
          usage: { inputTokens: 2000, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 },
        },
      },
    ],
  },
  {
    name: 'a fresh turn knows nothing of the conversation',
    proves: 'H17',
    turns: [
      { says: '[[text The word is cobalt.]]', ends: { status: 'completed' } },
      {
        says: '[[text I know nothing.]]',
        options: { context: 'fresh' },
        ends: { status: 'completed', text: 'I know nothing.' },
        shows: (seen) => expect(seen.lastAsked).not.toContain('cobalt'),
      },
    ],
  },
  {
    name: 'a pipeline begins each turn afresh',
    proves: 'H17',
    session: { mode: 'pipeline' },
    turns: [
      { says: '[[text The word is cobalt.]]', ends: { status: 'completed' } },
      {
        says: '[[text I know nothing.]]',
        ends: { status: 'completed' },
        shows: (seen) => expect(seen.lastAsked).not.toContain('cobalt'),
      },
    ],
  },
  {
    name: 'a conversation that is gone is started again, which is said, and no message is lost',
    proves: 'H6',
    turns: [
      { says: '[[text The word is cobalt.]]', ends: { status: 'completed' } },
      {
        before: ({ product, watched }) => product.stack.forgetConversation(watched.id),
        says: 'The message that must not be lost [[text Again.]]',
        ends: { status: 'completed', text: 'Again.', attempt: 1 },
        inOrder: ['session:error', 'process:exit', 'turn:start', 'session:init', 'session:complete', 'turn:end'],
        shows: async (seen) => {
          expect(seen.of('session:error')).toMatchObject([{ code: 'RESUME_FAILED', retryable: true }]);
          expect(seen.lastAsked).toContain('The message that must not be lost');
          expect((await seen.watched.person.session(seen.watched.id)).claudeSessionId).toBe(seen.turn.claude.sessionId);
        },
      },
      {
        says: '[[text And on.]]',
        ends: { status: 'completed' },
        shows: (seen) => expect(seen.lastAsked).toContain('Again.'),
      },
    ],
  },
  {
    name: 'a conversation that continues under another name is a fork, which is said',
    proves: 'H5',
    turns: [
      {
        says: '[[text Forked.]]',
        ends: { status: 'completed' },
        shows: (seen) => expect(seen.of('session:init')).toMatchObject([{ forkedFrom: expect.any(String) as unknown }]),
      },
    ],
  },
  {
    name: 'a conversation is compacted when a person asks for it, and continues',
    proves: 'H16',
    turns: [
      { says: '[[text The word is cobalt.]]', ends: { status: 'completed' } },
      {
        says: { act: 'compact' },
        ends: { status: 'completed', degraded: false },
        inOrder: ['turn:queued', 'turn:start', 'compaction', 'turn:end'],
        shows: (seen) => {
          expect(seen.of('turn:queued')).toMatchObject([{ turnKind: 'compact' }]);
          expect(seen.of('compaction')).toMatchObject([{ trigger: 'manual' }]);
        },
      },
      { says: '[[text Shorter now.]]', ends: { status: 'completed', text: 'Shorter now.' } },
    ],
  },
  {
    name: 'a conversation that has nothing to be made shorter says so',
    proves: 'H16',
    turns: [{ says: { act: 'compact' }, ends: { status: 'failed', code: 'HARNESS_FAILURE' } }],
  },
  {
    name: 'a conversation that fills the model is made shorter by the program itself, which is shown',
    proves: 'H16',
    turns: [
      { says: '[[usage input=990000 output=10]]&[[text Almost full.]]', ends: { status: 'completed' } },
      {
        says: '[[text After the compaction.]]',
        ends: { status: 'completed', text: 'After the compaction.' },
        inOrder: ['session:init', 'compaction', 'chat:complete', 'turn:end'],
        shows: (seen) => {
          const [compaction] = seen.of('compaction');
          expect(compaction).toMatchObject({ trigger: 'auto' });
          expect(Number(compaction?.['preTokens'])).toBeGreaterThan(Number(compaction?.['postTokens']));
        },
      },
      { says: '[[text And on.]]', ends: { status: 'completed', text: 'And on.' } },
    ],
  },
];
