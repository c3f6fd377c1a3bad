import type { Scenario, Step } from '../scenario';
import { call } from './calls';

/** As often as the program retries. */
const RETRIES = 4;
const CONTINUES: Step = { says: '[[text We continue.]]', ends: { status: 'completed', text: 'We continue.' } };

type Failure = {
  what: string;
  says: string;
  code: Step['ends']['code'];
  retries: number;
  patient?: true;
  words?: RegExp;
};

const FAILURES: readonly Failure[] = [
  {
    what: 'the key is wrong: said at once, not after minutes of retries',
    says: '[[error 401]]',
    code: 'MODEL_AUTH_FAILED',
    retries: 0,
  },
  { what: 'the key may not', says: '[[error 403]]', code: 'MODEL_AUTH_FAILED', retries: 0 },
  {
    what: 'the account is empty',
    says: '[[error 400 message="Your credit balance is too low to access the Anthropic API."]]',
    code: 'MODEL_AUTH_FAILED',
    retries: 0,
  },
  {
    what: 'the model is not known',
    says: '[[error 404]]',
    code: 'HARNESS_FAILURE',
    retries: 0,
    words: /Choose another model/,
  },
  {
    what: 'the request is wrong',
    says: '[[error 400 message="messages.0: something is not as it should be"]]',
    code: 'HARNESS_FAILURE',
    retries: 0,
  },
  { what: 'the request is too large', says: '[[error 413]]', code: 'PROMPT_TOO_LONG', retries: 0 },
  { what: 'the conversation is too long', says: '[[too_long]]', code: 'PROMPT_TOO_LONG', retries: 0 },
  { what: 'the model declines', says: '[[refusal]]', code: 'MODEL_REFUSED', retries: 0 },
  { what: 'it limits us for an hour', says: '[[error 429 retry_after=3600]]', code: 'MODEL_RATE_LIMITED', retries: 0 },
  { what: 'it limits us', says: '[[error 429]]', code: 'MODEL_RATE_LIMITED', retries: RETRIES, patient: true },
  { what: 'it is overloaded', says: '[[error 529]]', code: 'MODEL_OVERLOADED', retries: RETRIES, patient: true },
  { what: 'it is broken', says: '[[error 500]]', code: 'MODEL_UNREACHABLE', retries: RETRIES, patient: true },
  { what: 'it closes the connection', says: '[[refused]]', code: 'MODEL_UNREACHABLE', retries: RETRIES, patient: true },
  {
    what: 'its answers are always cut',
    says: '[[cut after=3]]',
    code: 'MODEL_UNREACHABLE',
    retries: RETRIES,
    patient: true,
  },
  { what: 'it answers with a page for people', says: '[[html]]', code: 'MODEL_UNREACHABLE', retries: 0 },
  { what: 'it answers nonsense', says: '[[garbage]]', code: 'MODEL_UNREACHABLE', retries: 0 },
];

/** The model's service fails: for good, each with its own text, or for a moment, without effect. */
export const modelFailures: Scenario[] = [
  ...FAILURES.map(({ what, says, code, retries, patient, words }): Scenario => ({
    name: `the model’s service fails: ${what}`,
    proves: 'H10 H7',
    ...(patient ? { patient } : {}),
    turns: [
      {
        says,
        ends: { status: 'failed', code, text: '', attempt: 1 },
        shows: (seen) => {
          expect(seen.of('turn:retry')).toHaveLength(retries);
          if (words) expect(seen.turn.error?.detail).toMatch(words);
        },
      },
      CONTINUES,
    ],
  })),
  ...(
    [
      ['overloaded', '[[error 529 times=2]]', 2],
      ['limited', '[[error 429 times=1 retry_after=1]]', 1],
      ['broken', '[[error 500 times=1]]', 1],
      ['cut before it says anything', '[[cut_early times=1]]', 1],
    ] as const
  ).map(([what, fault, retries]): Scenario => ({
    name: `the model’s service is ${what} for a moment: the turn completes, and people see that it was tried again`,
    proves: 'H10',
    patient: true,
    turns: [
      {
        says: `${fault} [[text The whole answer.]]`,
        ends: { status: 'completed', text: 'The whole answer.', attempt: 1 },
        inOrder: ['turn:retry', 'chat:delta', 'chat:complete'],
        shows: (seen) =>
          expect(seen.of('turn:retry')).toMatchObject(
            Array.from({ length: retries }, (_, index) => ({ attempt: index + 1, maxRetries: RETRIES })),
          ),
      },
    ],
  })),
  {
    name: 'an answer that is cut in the middle is withdrawn and repeated',
    proves: 'H10 E2',
    patient: true,
    turns: [
      {
        says: '[[cut on=half after=5 times=1 This half is never finished by the service]] [[text Here is the whole answer.]]',
        // Half an answer that comes together with the cut is one that the program never shows.
        meanwhile: async (live) => {
          await live.saw('chat:delta');
          await live.cutAnswer('half');
        },
        ends: { status: 'completed', text: 'Here is the whole answer.' },
        inOrder: ['chat:delta', 'chat:withdrawn', 'chat:delta', 'chat:complete'],
        shows: (seen) => {
          const [withdrawn] = seen.of('chat:withdrawn');
          const [half] = seen.of('chat:delta');
          expect(withdrawn?.['messageId']).toBe(half?.['messageId']);
          expect(seen.of('session:complete')).toMatchObject([{ text: 'Here is the whole answer.' }]);
        },
      },
    ],
  },
  {
    name: 'an answer that carries an error in its middle is asked for once more',
    proves: 'H10',
    retriesUnseen: true,
    patient: true,
    turns: [
      {
        says: '[[sse_error after=3 times=1 Half an answer that]] [[text The whole answer.]]',
        ends: { status: 'completed', text: 'The whole answer.' },
      },
    ],
  },
  {
    name: 'a failure after a tool has run does not run the tool again',
    proves: 'H10 L4',
    patient: true,
    session: { options: { autoApproveTools: ['Bash'] } },
    turns: [
      {
        says: `${call('Bash', { command: 'echo ran >> count.txt' })} [[cut after=3 times=1]] [[text It ran once.]]`,
        ends: { status: 'completed', text: 'It ran once.' },
        shows: async (seen) => expect(await seen.file('count.txt')).toBe('ran\n'),
      },
    ],
  },
  {
    name: 'a sub-agent whose model fails leaves the turn to the main conversation',
    proves: 'H7',
    patient: true,
    turns: [
      {
        says: `${call('Task', { description: 'job', subagent_type: 'general-purpose', prompt: '[[error 400 message="no"]]' })} [[text The sub-agent failed.]]`,
        ends: { status: 'completed', text: 'The sub-agent failed.' },
      },
    ],
  },
];
