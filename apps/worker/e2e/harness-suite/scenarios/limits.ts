import type { Scenario } from '../scenario';
import { call } from './calls';

/** The limits of a turn: each ends it in a distinct state with a distinct text, and keeps what there is. */
export const limits: Scenario[] = [
  {
    name: 'the most turns that a model may take: the tool has run, what was said is kept',
    proves: 'H1',
    session: { options: { maxTurns: 1 } },
    turns: [
      {
        says: `[[text One step.]]&${call('Write', { file_path: '/workspace/step.txt', content: 'made' })} [[text Never said.]]`,
        ends: { status: 'failed', code: 'MAX_TURNS', text: 'One step.' },
        shows: async (seen) => {
          expect(seen.tools).toMatchObject([{ isError: false }]);
          expect(await seen.file('step.txt')).toBe('made');
          expect(seen.turn.error?.detail).toContain('maxTurns');
        },
      },
      { says: '[[text And on.]]', options: { maxTurns: 2 }, ends: { status: 'completed', text: 'And on.' } },
    ],
  },
  {
    name: 'the most money that a turn may cost: what could cost more is not even asked',
    proves: 'S3 C4',
    turns: [
      {
        says: '[[text Never said.]]',
        options: { maxBudgetUsd: '0.0001' },
        ends: { status: 'failed', code: 'BUDGET_EXCEEDED', text: '' },
        shows: (seen) =>
          expect({ asked: seen.requests.length, costUsd: Number(seen.turn.costUsd) }).toEqual({ asked: 0, costUsd: 0 }),
      },
      { says: '[[text Paid for.]]', options: { maxBudgetUsd: '50' }, ends: { status: 'completed', text: 'Paid for.' } },
    ],
  },
  {
    name: 'the most time that a turn may take',
    proves: 'H8',
    patient: true,
    // Long enough for a busy machine to begin with, and less than the twenty seconds of the answer.
    session: { options: { timeoutMs: 12_000 } },
    turns: [
      {
        says: '[[slow words=400 delay=50]]',
        ends: { status: 'timed_out', code: 'TURN_TIMEOUT' },
        shows: (seen) => expect(seen.turn.text).toMatch(/^word1 word2 /),
      },
      { says: '[[text In time.]]', ends: { status: 'completed', text: 'In time.' } },
    ],
  },
  {
    name: 'a model that falls silent in mid-answer',
    proves: 'H8',
    patient: true,
    turns: [
      {
        says: '[[stall after=3 Words before the silence came]]',
        ends: { status: 'timed_out', code: 'SILENCE_TIMEOUT' },
        shows: (seen) => expect(seen.turn.text).toMatch(/^Words before/),
      },
      { says: '[[text It speaks again.]]', ends: { status: 'completed', text: 'It speaks again.' } },
    ],
  },
  {
    name: 'a model that never answers',
    proves: 'H8',
    patient: true,
    turns: [{ says: '[[hang]]', ends: { status: 'timed_out', code: 'SILENCE_TIMEOUT', text: '' } }],
  },
  {
    name: 'a command that says nothing for long is ended by the same limit, with all that it started',
    proves: 'H8',
    patient: true,
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'sleep 300' })} [[text Never.]]`,
        ends: { status: 'timed_out', code: 'SILENCE_TIMEOUT' },
      },
    ],
  },
];
