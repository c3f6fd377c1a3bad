// Rows written by reading the recordings, one by one. What a row does not mention did not happen in it.
const nothing = {
  state: 'completed',
  code: null,
  text: '',
  degraded: false,
  sessionId: null,
  forkedFrom: null,
  model: 'claude-opus-5-5',
  costUsd: null,
  usage: [0, 0, 0, 0],
  tools: [],
  progress: [],
  patched: [],
  mutating: false,
  denials: [],
  retries: [],
  withdrawn: [],
  blocks: 0,
  thinking: '',
  subagents: [],
  notices: [],
  todos: null,
  compactions: [],
  controlRequests: [],
  controlAnswers: [],
  noise: 0,
};
const row = (facts) => {
  const { results, ...rest } = { ...nothing, ...facts };
  const ordered = {};
  for (const [key, value] of Object.entries(rest)) {
    ordered[key] = value;
    if (key === 'degraded') ordered.results = results ?? [{ state: rest.state, text: rest.text }];
  }
  return ordered;
};
const failed = (code, facts) => row({ state: 'failed', code, ...facts });
/** The process ended without a result line, so its cost is unknown. */
const cutOff = (code, facts) => failed(code, { results: [], degraded: true, ...facts });
/** Nothing but stderr: the program never began. */
const neverBegan = (code, facts) => cutOff(code, { model: null, ...facts });
const interrupted = (facts) => row({ state: 'interrupted', code: 'INTERRUPTED', ...facts });
const tool = (id, name, failed, parent = null) => ({
  id: `toolu_mock_${id}`,
  name,
  parent: parent && `toolu_mock_${parent}`,
  failed,
});
const denial = (name, id) => ({ tool: name, toolUseId: `toolu_mock_${id}` });
const says = (id, ...texts) => texts.map((text) => ({ id: `toolu_mock_${id}`, text }));
const words = (count) => Array.from({ length: count }, (_, i) => `word${i + 1} `).join('');

/**
 * Cost and tokens of so many requests to the recorded model: 12 in, 8 out, 100 read from the cache, 50 written to it.
 */
const requests = (count, costUsd) => ({ costUsd, usage: [12 * count, 8 * count, 100 * count, 50 * count] });
const ONE_REQUEST = requests(1, '0.000478');
const TWO_REQUESTS = requests(2, '0.000956');
const CUT_IN_TEXT = { usage: [12, 1, 100, 50] };
const CUT_IN_TOOL = { usage: [12, 8, 100, 50] };

export const byHand = {
  // Plain answers, in each output format.
  'plain-text': row({
    sessionId: 'f3755e2c-7021-4973-a89d-3945b214b7e3',
    text: 'Hello from the mock.',
    blocks: 1,
    ...ONE_REQUEST,
  }),
  'plain-text-no-partial': row({
    sessionId: '5cfc74f8-d35e-4625-b59f-c3bcbf8faa4c',
    text: 'Hello from the mock.',
    blocks: 1,
    ...ONE_REQUEST,
  }),
  'json-output-format': row({
    sessionId: 'c5036739-f01c-429e-98b7-0e121075443b',
    text: 'Hello from the mock.',
    model: null,
    ...ONE_REQUEST,
  }),
  'json-verbose': row({
    sessionId: '6c3ec2e4-e9fb-4494-90f4-d9aa7e4106d4',
    text: 'Hello from the mock.',
    blocks: 1,
    ...ONE_REQUEST,
  }),
  'text-output-format': neverBegan('NO_RESULT', { noise: 1 }),
  'api-401-json': failed('MODEL_AUTH_FAILED', { model: null, costUsd: '0' }),
  'api-401-text': neverBegan('PROCESS_CRASHED', { noise: 1 }),
  'resume-unknown-id-json': neverBegan('RESUME_FAILED'),
  thinking: row({
    sessionId: '3e93eacd-1f33-40fa-9075-f64cd09e59a0',
    thinking: 'Let me think about this step by step. First, look at the question. Then answer it.',
    text: 'Here is the answer, after some thought.',
    blocks: 1,
    ...ONE_REQUEST,
  }),
  'thinking-redacted': row({
    sessionId: 'adbb4b68-41f6-407e-82de-3bba6f88803b',
    text: 'Answer.',
    blocks: 1,
    ...ONE_REQUEST,
  }),
  'json-schema': row({
    sessionId: 'decb914c-2ebb-41e4-a98f-8855d4da771a',
    text: '{"name":"demo"}',
    ...ONE_REQUEST,
    tools: [tool('26_0', 'StructuredOutput', false)],
  }),
  'empty-assistant': failed('NO_RESULT', {
    sessionId: '40c55dc8-2472-492f-aac2-40ca19fa2d9f',
    degraded: true,
    ...TWO_REQUESTS,
  }),
  'stop-max-tokens': row({
    sessionId: '9a5d05bb-0f7c-41a5-aa69-ac1c6d1b6b7f',
    text: 'This answer is cut because the token limit was reAll steps done.',
    blocks: 2,
    ...TWO_REQUESTS,
  }),

  // Tools.
  'write-then-edit': row({
    sessionId: '81643f6b-10f6-40b1-8144-5d96f57cd8f7',
    text: 'Done.',
    blocks: 1,
    ...requests(4, '0.001912'),
    tools: [tool('26_0', 'Write', false), tool('27_0', 'Edit', false), tool('28_0', 'Edit', true)],
    patched: ['toolu_mock_27_0'],
    mutating: true,
  }),
  'parallel-tools': row({
    sessionId: '2d35f3c4-5999-4d80-bbea-aced64402b51',
    text: 'Done.',
    blocks: 1,
    ...TWO_REQUESTS,
    tools: [tool('18_0', 'Bash', false), tool('18_1', 'Read', false), tool('18_2', 'Bash', false)],
    mutating: true,
  }),
  'tasks-tools': row({
    sessionId: '7e5ce51a-ada4-439c-9dbb-7096658bcb55',
    text: 'Done.',
    blocks: 1,
    ...requests(4, '0.001912'),
    tools: [tool('4_0', 'TaskCreate', false), tool('5_0', 'TaskUpdate', false), tool('6_0', 'TaskList', false)],
    mutating: true,
    todos: [{ id: '1', text: 'One', status: 'in_progress' }],
  }),
  todowrite: row({
    sessionId: 'c697187f-d20b-4229-b5b6-2462525bc8bc',
    text: 'Done.',
    blocks: 1,
    ...TWO_REQUESTS,
    tools: [tool('50_0', 'TodoWrite', true)],
    mutating: true,
  }),

  // Sub-agents.
  'subagent-task': row({
    sessionId: '8bfc86e9-f5f3-4a03-a7c4-ae2de0d91117',
    text: 'All steps done.',
    results: [
      { state: 'completed', text: 'Main done.' },
      { state: 'completed', text: 'All steps done.' },
    ],
    progress: says('33_0', 'Sub job'),
    blocks: 2,
    ...requests(5, '0.00239'),
    tools: [tool('33_0', 'Task', false), tool('35_0', 'Bash', false, '33_0')],
    mutating: true,
    subagents: [{ parent: 'toolu_mock_33_0', text: 'Sub report.' }],
  }),
  'subagents-parallel': row({
    sessionId: 'daac5464-f91d-4bdd-8990-ef6ef594fde0',
    text: 'Main done.',
    blocks: 1,
    ...requests(6, '0.002868'),
    progress: [
      ...says('42_0', 'Job A'),
      ...says('42_1', 'Job B', 'Running s'),
      ...says('42_0', 'Running s'),
      ...says('42_1', 'completed: B report.'),
      ...says('42_0', 'completed: A report.'),
    ],
    tools: [
      tool('42_0', 'Task', false),
      tool('42_1', 'Task', false),
      tool('43_0', 'Bash', false, '42_1'),
      tool('44_0', 'Bash', false, '42_0'),
    ],
    mutating: true,
  }),
  'subagent-task-forward-text': row({
    sessionId: '71791e13-ea59-4571-b094-ede88456e72d',
    text: 'Main done.',
    blocks: 1,
    ...requests(4, '0.001912'),
    progress: says('38_0', 'Sub job', 'Running s', 'completed: Sub report.'),
    tools: [tool('38_0', 'Agent', false), tool('39_0', 'Bash', false, '38_0')],
    mutating: true,
    subagents: [{ parent: 'toolu_mock_38_0', text: 'Sub report.' }],
  }),
  'sigint-subagent': interrupted({
    sessionId: '411a4d47-a1e3-4c7b-be85-6a092e3e9241',
    ...TWO_REQUESTS,
    progress: says('18_0', 'Sub', 'Running s'),
    tools: [tool('18_0', 'Task', true), tool('19_0', 'Bash', null, '18_0')],
    mutating: true,
  }),

  // The model's service fails, for good or for a while.
  'api-401': failed('MODEL_AUTH_FAILED', {
    sessionId: '306e8a7f-00c1-4b57-bc84-b5a2af5463a1',
    costUsd: '0',
    retries: Array(10).fill(401),
  }),
  'api-400-credit': failed('MODEL_AUTH_FAILED', { sessionId: 'bfe16221-2800-403d-aadd-a6b31235896f', costUsd: '0' }),
  'no-credentials': failed('MODEL_AUTH_FAILED', { sessionId: '3c70ff22-041a-495e-8447-1bd7ebd5561f', costUsd: '0' }),
  'api-429-long-retry-after': failed('MODEL_RATE_LIMITED', {
    sessionId: 'c7f61f36-37a0-4fed-b449-30a420ae8b8b',
    costUsd: '0',
  }),
  'api-529-exhausted-2-retries': failed('MODEL_OVERLOADED', {
    sessionId: '9d288d24-348c-4418-b134-7b4a32517ce6',
    costUsd: '0',
    retries: [529, 529],
  }),
  'api-529-recovers': row({
    sessionId: '55484d8a-f62e-44d1-bea5-b91f87aeb2a0',
    text: 'recovered',
    blocks: 1,
    ...ONE_REQUEST,
    retries: [529, 529],
  }),
  'api-500-exhausted-2-retries': failed('MODEL_UNREACHABLE', {
    sessionId: '30e90170-4409-4219-b3f4-f05e38575c87',
    costUsd: '0',
    retries: [500, 500],
  }),
  'api-400-prompt-too-long': failed('PROMPT_TOO_LONG', {
    sessionId: '5f6b0cb8-3fc5-4c79-974b-dfaeef4c3158',
    costUsd: '0',
  }),
  'api-413': failed('PROMPT_TOO_LONG', { sessionId: '72acd061-5ab6-4585-83e9-d1f42eb511b4', costUsd: '0' }),
  'model-unknown': failed('HARNESS_FAILURE', {
    sessionId: 'e6faeba9-a0ae-47d7-a44d-db66550b3827',
    model: 'no-such-model',
    costUsd: '0',
  }),
  'stream-html': failed('MODEL_UNREACHABLE', { sessionId: '5165e10f-7271-46c0-9bac-1a4764ebd3b4', costUsd: '0' }),
  'stream-cut-once': row({
    sessionId: 'b0a024d0-3f5d-409f-90b0-2aad377ba669',
    text: 'recovered after cut',
    blocks: 1,
    costUsd: '0.000916',
    usage: [24, 14, 200, 100],
    retries: [null],
    withdrawn: [{ messageId: 'msg_mock_35', fromBlock: 0 }],
  }),
  'stream-cut-always-2-retries': failed('MODEL_UNREACHABLE', {
    sessionId: '4cc9f95d-4baa-4112-ae86-446ff591af51',
    costUsd: '0.001314',
    usage: [36, 18, 300, 150],
    retries: [null, null],
    withdrawn: ['msg_mock_37', 'msg_mock_38', 'msg_mock_39'].map((messageId) => ({ messageId, fromBlock: 0 })),
  }),
  'stop-refusal': failed('MODEL_REFUSED', {
    sessionId: '667a8977-1332-4715-bbe9-0ccdf55d94be',
    ...TWO_REQUESTS,
    notices: ['INFORMATIONAL', 'MODEL_REFUSED'],
  }),
  'stop-refusal-with-text': row({
    sessionId: '457a261b-6829-48d2-9cde-9e59af4d8bed',
    text: 'All steps done.',
    blocks: 2,
    ...TWO_REQUESTS,
    withdrawn: [{ messageId: 'msg_mock_57', fromBlock: 0 }],
    notices: ['INFORMATIONAL'],
  }),
  'fallback-model-529': row({
    sessionId: '604b140e-a5ae-4fba-939f-ee07e3f2b9f2',
    text: 'from fallback',
    blocks: 1,
    model: 'claude-sonnet-5-5',
    ...requests(1, '0.000239'),
    retries: [529, 529],
    notices: ['MODEL_FALLBACK'],
  }),

  // Limits.
  'max-turns-1': failed('MAX_TURNS', {
    sessionId: '06fd3300-d20f-49db-bda5-059b16669564',
    ...ONE_REQUEST,
    tools: [tool('1_0', 'Bash', false)],
    mutating: true,
  }),
  'max-budget-usd': failed('BUDGET_EXCEEDED', {
    sessionId: 'c5fe08cf-8b57-41c4-b054-65e4a12aa75c',
    ...ONE_REQUEST,
    tools: [tool('3_0', 'Bash', null)],
    mutating: true,
  }),
  'max-budget-usd-big-usage': failed('BUDGET_EXCEEDED', {
    sessionId: 'b17327ad-ec0e-40ec-aff2-5602e8edc4c3',
    text: 'Counted.',
    blocks: 1,
    costUsd: '0.61',
    usage: [100_000, 5_000, 50_000, 20_000],
  }),
  'si-max-turns-two-messages': row({
    sessionId: 'f8876300-ba92-4dcd-a2c5-f36942a2caf6',
    text: 'Hello from the mock.',
    results: [
      { state: 'failed', text: '' },
      { state: 'completed', text: 'Hello from the mock.' },
    ],
    blocks: 1,
    ...TWO_REQUESTS,
    tools: [tool('78_0', 'Bash', false)],
    mutating: true,
  }),

  // Stopped from outside.
  'sigint-mid-text': interrupted({
    sessionId: 'e3cd7ffa-1317-461e-abcb-c19c94bd4a68',
    text: words(8),
    blocks: 1,
    costUsd: '0.000638',
    usage: [12, 16, 100, 50],
  }),
  'sigint-mid-tool': interrupted({
    sessionId: 'e88072cc-1a7c-492a-b265-dcc400cc5c16',
    ...ONE_REQUEST,
    tools: [tool('3_0', 'Bash', true)],
    mutating: true,
  }),
  'control-interrupt-mid-tool': interrupted({
    sessionId: '1a0bef79-0354-4696-92db-c92f5a33c220',
    ...ONE_REQUEST,
    tools: [tool('47_0', 'Bash', true)],
    mutating: true,
    controlAnswers: [true],
  }),
  'sigint-before-init': neverBegan('PROCESS_CRASHED'),
  'sigterm-mid-text': cutOff('PROCESS_CRASHED', {
    ...CUT_IN_TEXT,
    sessionId: '4f8524d2-8f39-4d42-bc51-0d22df2e64bd',
    text: words(8),
  }),
  'sigterm-mid-tool': cutOff('PROCESS_CRASHED', {
    ...CUT_IN_TOOL,
    sessionId: 'd741ef90-8319-487b-84da-931a4cb511db',
    tools: [tool('7_0', 'Bash', true)],
    mutating: true,
  }),
  'sigkill-mid-tool': cutOff('PROCESS_CRASHED', {
    ...CUT_IN_TOOL,
    sessionId: 'd7b68f8d-f83b-47a0-9816-c1eca0185089',
    tools: [tool('15_0', 'Bash', null)],
    mutating: true,
  }),
  'stream-stall-watchdog': cutOff('PROCESS_CRASHED', {
    ...CUT_IN_TEXT,
    sessionId: 'de4ed71b-db46-43bf-b4b3-cc53d55f8b47',
    text: words(3),
  }),
  'stdin-closed-stdout-epipe': cutOff('NO_RESULT', { sessionId: 'd01b6f3f-adec-40f7-b7c2-9b69e2f7f7f5', noise: 1 }),

  // Permissions.
  'perm-parallel': row({
    sessionId: 'd6280244-195d-48ab-95be-19d85f297660',
    text: 'Done.',
    blocks: 1,
    ...TWO_REQUESTS,
    tools: [tool('32_0', 'Bash', true), tool('32_1', 'Bash', false), tool('32_2', 'Write', false)],
    mutating: true,
    denials: [denial('Bash', '32_0')],
    controlRequests: ['can_use_tool', 'can_use_tool', 'can_use_tool'],
  }),
  'perm-deny-interrupt': interrupted({
    sessionId: 'ff9ebb72-2ece-45d8-8f2e-fb6d4e694f52',
    ...ONE_REQUEST,
    tools: [tool('22_0', 'Bash', true)],
    mutating: true,
    denials: [denial('Bash', '22_0')],
    controlRequests: ['can_use_tool'],
  }),
  'perm-exit-plan-mode': row({
    sessionId: '39491bbb-e88f-40d7-9de6-2675698768e7',
    text: 'Done.',
    blocks: 1,
    ...requests(3, '0.001434'),
    tools: [tool('38_0', 'ExitPlanMode', false), tool('39_0', 'Bash', false)],
    mutating: true,
    notices: ['PERMISSION_MODE'],
    controlRequests: ['can_use_tool', 'can_use_tool'],
  }),
  'tool-denied-dontask': row({
    sessionId: 'b4ff1c84-f561-4ad6-baf3-4d575372e459',
    text: 'Done.',
    blocks: 1,
    ...TWO_REQUESTS,
    tools: [tool('5_0', 'Bash', true)],
    mutating: true,
    denials: [denial('Bash', '5_0')],
    notices: ['PERMISSION_DENIED'],
  }),
  'hook-denies': row({
    sessionId: '4facb1f2-ecd5-4123-8591-8a240ec10350',
    text: 'Done.',
    blocks: 1,
    ...TWO_REQUESTS,
    tools: [tool('33_0', 'Bash', true)],
    mutating: true,
    denials: [denial('Bash', '33_0')],
  }),
  'plan-mode-write': row({
    sessionId: '220e7732-f598-4969-aae3-1626ad180d86',
    text: 'Done.',
    blocks: 1,
    ...TWO_REQUESTS,
    tools: [tool('58_0', 'Write', true), tool('58_1', 'Bash', true), tool('58_2', 'Read', false)],
    mutating: true,
    denials: [denial('Write', '58_0'), denial('Bash', '58_1')],
    notices: ['PERMISSION_DENIED', 'INFORMATIONAL', 'PERMISSION_DENIED'],
  }),

  // Sessions and commands.
  compact: row({ sessionId: '8977cf02-36d5-4a6b-9fc3-516c5f502038', ...TWO_REQUESTS, compactions: ['manual'] }),
  'prompt-slash-compact': failed('HARNESS_FAILURE', {
    sessionId: '51c0f6bc-e27b-4203-8b7a-3c26e1578352',
    costUsd: '0',
  }),
  'prompt-slash-clear': row({
    sessionId: '436e3cb8-1436-4616-973e-1ecd21a68e56',
    costUsd: '0',
    notices: ['CONVERSATION_RESET'],
  }),
  'fork-session': row({
    sessionId: 'c44b949b-c939-4b0a-8bb8-bfa006020612',
    forkedFrom: '5f884371-489a-4cb3-9bd7-2aa06b88dcb6',
    text: 'Hello from the mock.',
    blocks: 1,
    ...ONE_REQUEST,
  }),
  'resume-unknown-id': failed('RESUME_FAILED', { model: null, costUsd: '0' }),
  'si-two-messages': row({
    sessionId: '9dca62bb-e603-4083-be41-d109bd23df0a',
    text: 'Hello from the mock.',
    results: Array(2).fill({ state: 'completed', text: 'Hello from the mock.' }),
    blocks: 2,
    ...TWO_REQUESTS,
  }),

  // Nothing but stderr.
  'session-id-second-turn-same-id': neverBegan('HARNESS_FAILURE'),
  'bad-flag': neverBegan('HARNESS_FAILURE'),
  'prompt-empty-arg': neverBegan('HARNESS_FAILURE'),
  'cwd-deleted-under-us': neverBegan('HARNESS_FAILURE'),
  'cwd-missing': neverBegan('NO_RESULT'),
  'cfg-config-json-corrupt': failed('HARNESS_FAILURE', { model: null, costUsd: '0' }),
};
