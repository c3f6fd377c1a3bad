/**
 * @typedef {object} Answer What the program is answered to its questions.
 * @property {'allow' | 'deny' | 'ask'} [tool] before a tool
 * @property {'allow' | 'deny'} [person] where a person is asked
 * @property {Record<string, string>} [answers]
 * @typedef {{ after: string, interrupt: true } | { after: string, signal: NodeJS.Signals } | { after: string, cut: string }} Act
 * Done once, after a record whose kind begins so. `cut`: the model's answer of that name ends in the middle.
 * @typedef {Partial<import('../../apps/worker/src/harness/claude-code/claude-arguments.ts').ClaudeLaunch>} Launch
 * @typedef {{ says: string[], answer?: Answer, act?: Act }} Life
 * @typedef {{ lives: Life[], launch?: Launch, extra?: string[], resume?: string }} Scenario
 */

/** @type {(tool: string, input: object) => string} */
const call = (tool, input) => `[[tool ${tool} ${JSON.stringify(input)}]]`;
/** @type {(says: string, more?: Omit<Life, 'says'>) => Scenario} */
const once = (says, more = {}) => ({ lives: [{ says: [says], ...more }] });
/** @type {(name: string, content: string) => string} */
const write = (name, content) => call('Write', { file_path: `$WORKSPACE/${name}`, content });
const QUESTION = {
  questions: [
    {
      question: 'Which?',
      header: 'Which',
      multiSelect: false,
      options: [
        { label: 'One', description: 'the first' },
        { label: 'Two', description: 'the second' },
      ],
    },
  ],
};
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/**
 * Runs that together show every kind of record that the worker reads. `lives` are processes, one after the other in one
 * conversation.
 * @type {Record<string, Scenario>}
 */
export const SCENARIOS = {
  text: once('[[text Hello.]]'),
  thinking: once('[[thinking Hm.]]&[[text Hello.]]'),
  'write-edit-read': once(
    `${write('a.txt', 'one\ntwo\n')} ${call('Edit', { file_path: '$WORKSPACE/a.txt', old_string: 'two', new_string: 'TWO' })} ${call('Read', { file_path: '$WORKSPACE/a.txt' })} [[text Done.]]`,
  ),
  'glob-and-grep': once(
    `${write('a.txt', 'one\n')} ${call('Glob', { pattern: '*' })} ${call('Grep', { pattern: 'one', output_mode: 'content' })} [[text Done.]]`,
  ),
  bash: once(`${call('Bash', { command: 'echo out' })} ${call('Bash', { command: 'exit 3' })} [[text Done.]]`),
  picture: once(
    `${call('Bash', { command: `echo ${PIXEL} | base64 -d > p.png` })} ${call('Read', { file_path: '$WORKSPACE/p.png' })} [[text Done.]]`,
  ),
  'unknown-tool': once(`${call('Teleport', {})} [[text Done.]]`),
  'sub-agent': once(
    `${call('Task', { description: 'A job', subagent_type: 'general-purpose', prompt: `${call('Bash', { command: 'echo in' })} [[text Report.]]` })} [[text Done.]]`,
  ),
  'list-of-things-to-do': once(
    `${call('TaskCreate', { subject: 'One', description: 'Do one', activeForm: 'Doing one' })} ${call('TaskUpdate', { taskId: '1', status: 'completed' })} [[text Done.]]`,
  ),
  question: once(`${call('AskUserQuestion', QUESTION)} [[text Done.]]`, { answer: { answers: { 'Which?': 'Two' } } }),
  'question-refused': once(`${call('AskUserQuestion', QUESTION)} [[text Done.]]`, { answer: { person: 'deny' } }),
  plan: {
    ...once(`${call('ExitPlanMode', { plan: '1. Do it' })} ${write('p.txt', 'x')} [[text Done.]]`),
    launch: { permissionMode: 'plan' },
  },
  'denied-by-policy': once(`${call('Bash', { command: 'make' })} [[text Done.]]`, { answer: { tool: 'deny' } }),
  'asked-and-allowed': once(`${call('Bash', { command: 'touch x' })} [[text Done.]]`, { answer: { tool: 'ask' } }),
  'asked-and-denied': once(`${call('Bash', { command: 'touch x' })} [[text Done.]]`, {
    answer: { tool: 'ask', person: 'deny' },
  }),
  'max-turns': { ...once(`${call('Bash', { command: 'echo out' })} [[text Never.]]`), launch: { maxTurns: 1 } },
  'output-limit': once('[[max_tokens The first part,]] [[text the second.]]'),
  refusal: once('[[refusal]]'),
  'prompt-too-long': once('[[too_long]]'),
  'wrong-key': once('[[error 401]]'),
  overloaded: once('[[error 529 times=1]] [[text Recovered.]]'),
  cut: once('[[cut on=half after=3 times=1]] [[text Recovered.]]', {
    act: { after: 'stream_event/content_block_delta', cut: 'half' },
  }),
  'two-messages-of-one-process': { lives: [{ says: ['[[text One.]]', '[[text Two.]]'] }] },
  resumed: { lives: [{ says: ['[[text One.]]'] }, { says: ['[[text Two.]]'] }] },
  'resumed-from-nothing': { resume: '00000000-0000-4000-8000-000000000000', lives: [{ says: ['[[text Never.]]'] }] },
  compacted: { lives: [{ says: ['[[text One.]]', '/compact', '[[text Two.]]'] }] },
  'nothing-to-compact': once('/compact'),
  'compacted-by-itself': { lives: [{ says: ['[[usage input=990000 output=10]]&[[text Full.]]', '[[text On.]]'] }] },
  'interrupted-in-mid-answer': once('[[slow words=200 delay=30]]', {
    act: { after: 'stream_event/content_block_delta', interrupt: true },
  }),
  'interrupted-in-a-tool': once(`${call('Bash', { command: 'sleep 30' })} [[text Never.]]`, {
    act: { after: 'control_request/hook_callback', interrupt: true },
  }),
  'sigint-in-mid-answer': once('[[slow words=200 delay=30]]', {
    act: { after: 'stream_event/content_block_delta', signal: 'SIGINT' },
  }),
  'sigterm-in-mid-answer': once('[[slow words=200 delay=30]]', {
    act: { after: 'stream_event/content_block_delta', signal: 'SIGTERM' },
  }),
  'unknown-flag': { ...once('[[text Never.]]'), extra: ['--no-such-flag'] },
};
