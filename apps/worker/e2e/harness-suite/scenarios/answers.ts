import type { Scenario } from '../scenario';

/** What a model says, in all the forms in which it comes. */
export const answers: Scenario[] = [
  {
    name: 'an answer in words is streamed, and is the answer',
    proves: 'H1 H7',
    turns: [
      {
        says: '[[text Hello from the model.]]',
        ends: { status: 'completed', text: 'Hello from the model.', degraded: false, attempt: 1 },
        inOrder: [
          'turn:queued',
          'turn:start',
          'session:init',
          'chat:delta',
          'chat:complete',
          'session:complete',
          'process:exit',
          'turn:end',
        ],
        shows: (seen) => {
          expect(seen.of('session:complete')).toMatchObject([{ text: 'Hello from the model.', degraded: false }]);
          expect(seen.of('process:exit')).toEqual([{ code: 0, signal: null, attempt: 1, final: true }]);
        },
      },
    ],
  },
  {
    name: 'thinking is shown apart from the answer',
    proves: 'H1',
    turns: [
      {
        says: '[[thinking Let me see.]]&[[text I see.]]',
        ends: { status: 'completed', text: 'I see.' },
        inOrder: ['thinking:delta', 'thinking:complete', 'chat:delta', 'chat:complete'],
        shows: (seen) => expect(seen.of('thinking:complete')).toMatchObject([{ text: 'Let me see.', block: 0 }]),
      },
    ],
  },
  {
    name: 'hidden thinking shows nothing and keeps its place',
    proves: 'H3',
    turns: [
      {
        says: '[[redacted]]&[[text After it.]]',
        ends: { status: 'completed', text: 'After it.' },
        shows: (seen) => {
          expect(seen.of('thinking:complete')).toEqual([]);
          expect(seen.of('chat:complete')).toMatchObject([{ text: 'After it.', block: 1 }]);
        },
      },
    ],
  },
  {
    name: 'two blocks of text in one message are one answer',
    proves: 'H7',
    turns: [
      {
        says: '[[text First half, ]]&[[text second half.]]',
        ends: { status: 'completed', degraded: false },
        shows: (seen) => {
          expect(seen.turn.text).toMatch(/^First half, ?second half\.$/);
          expect(seen.of('chat:complete').map(({ block }) => block)).toEqual([0, 1]);
        },
      },
    ],
  },
  {
    name: 'text between tools is shown, and the last one is the answer',
    proves: 'H7',
    turns: [
      {
        says: '[[text I look first.]]&[[tool Glob {"pattern":"*"}]] [[text Nothing there.]]',
        ends: { status: 'completed', text: 'Nothing there.' },
        shows: (seen) =>
          expect(seen.of('chat:complete').map(({ text }) => text)).toEqual(['I look first.', 'Nothing there.']),
      },
    ],
  },
  {
    name: 'every script and separator of Unicode arrives as it was said',
    proves: 'H3',
    turns: [
      {
        says: '[[unicode]]',
        ends: { status: 'completed' },
        shows: (seen) => {
          for (const part of ['👩‍👩‍👧‍👦', '漢字', 'שלום', '\u2028', '\u2029', '\u0001', 'é'])
            expect(seen.turn.text).toContain(part);
          expect(seen.turn.text).not.toContain('\ufffd');
        },
      },
    ],
  },
  {
    name: 'an answer of 300,000 characters arrives whole',
    proves: 'H3',
    turns: [
      {
        says: '[[long chars=300000]]',
        ends: { status: 'completed', degraded: false },
        shows: (seen) => expect(seen.turn.text).toHaveLength(300_000),
      },
    ],
  },
  {
    name: 'three thousand deltas without a pause are joined and lose nothing',
    proves: 'H3 E5',
    turns: [
      {
        says: '[[burst 3000]]',
        ends: { status: 'completed' },
        shows: (seen) => {
          expect(seen.turn.text.trim()).toBe('word '.repeat(3_000).trim());
          expect(seen.of('chat:delta').length).toBeLessThan(3_000);
        },
      },
    ],
  },
  {
    name: 'an answer that reached the model’s limit continues in the next message',
    proves: 'H7',
    turns: [
      {
        says: '[[max_tokens The first part, ]] [[text the second part.]]',
        ends: { status: 'completed', degraded: false },
        shows: (seen) => {
          expect(seen.turn.text).toContain('The first part,');
          expect(seen.turn.text).toContain('the second part.');
          expect(seen.requests).toHaveLength(2);
        },
      },
    ],
  },
  {
    name: 'an answer without a word is an error, not an empty success',
    proves: 'H7',
    turns: [{ says: '[[empty]]', ends: { status: 'failed', code: 'NO_RESULT', text: '', degraded: true } }],
  },
  {
    name: 'an answer that ends with a tool and no words keeps what was said before',
    proves: 'H7',
    turns: [
      {
        says: '[[text I only look.]]&[[tool Glob {"pattern":"*"}]] [[empty]]',
        ends: { status: 'completed', text: 'I only look.', degraded: true },
      },
    ],
  },
  {
    name: 'an end without a result keeps what was said, and is an error',
    proves: 'H7',
    turns: [
      {
        says: '[[text Then nothing.]]',
        ends: { status: 'failed', code: 'NO_RESULT', text: 'Then nothing.', degraded: true },
      },
    ],
  },
  {
    name: 'the model that answered is the one that is recorded and paid',
    proves: 'C1 H18',
    session: { options: { model: 'claude-haiku-4-5-20251001' } },
    turns: [
      {
        says: '[[text Small and quick.]]',
        ends: { status: 'completed' },
        shows: (seen) => {
          expect(seen.turn.claude.model).toBe('claude-haiku-4-5-20251001');
          expect((seen.requests.at(-1)?.body as { model: string }).model).toBe('claude-haiku-4-5-20251001');
        },
      },
    ],
  },
  {
    name: 'what was read from and written to the cache is counted apart',
    proves: 'C1',
    turns: [
      {
        says: '[[usage input=1000 output=200 cache_read=5000 cache_write_5m=300 cache_write_1h=100]]&[[text Counted.]]',
        ends: {
          status: 'completed',
          usage: { inputTokens: 1000, outputTokens: 200, cacheReadTokens: 5000, cacheWriteTokens: 400 },
        },
      },
    ],
  },
];
