import { STARTER_PROMPTS } from '@chirality/domain';
import type { Reply, ToolUseBlock } from '../api/reply';
import { readConversation, type Conversation } from '../conversation/conversation';
import { playScript } from './choose-script';
import { answerWithoutTools } from './without-tools';

const TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'Agent', 'AskUserQuestion', 'TaskCreate', 'TaskUpdate'];
type ToolWorld = (name: string, input: Record<string, unknown>) => { text: string; isError?: boolean };

/** Plays a script to its end against tools that answer at once; returns every answer and call. */
function play(
  asked: string,
  world: ToolWorld,
  tools = TOOLS,
  system = 'Primary working directory: /w\n',
): { scripts: string[]; texts: string[]; calls: ToolUseBlock[]; last: Reply } {
  const messages: { role: string; content: unknown }[] = [{ role: 'user', content: asked }];
  const played = {
    scripts: [] as string[],
    texts: [] as string[],
    calls: [] as ToolUseBlock[],
    last: undefined as unknown as Reply,
  };
  for (let step = 0; step < 12; step += 1) {
    const conversation = readConversation({
      model: 'm',
      stream: true,
      system,
      tools,
      answerSchema: null,
      maxTokens: null,
      messages: messages as never,
    });
    const { reply, label } = playScript(conversation);
    played.scripts.push(label);
    played.last = reply;
    if (reply.kind !== 'message') return played;
    const calls = reply.blocks.filter((block) => block.type === 'tool_use');
    played.texts.push(...reply.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
    played.calls.push(...calls);
    if (calls.length === 0) return played;
    messages.push({
      role: 'assistant',
      content: calls.map((call, index) => ({
        type: 'tool_use',
        id: `${step}-${index}`,
        name: call.name,
        input: call.input,
      })),
    });
    const results = calls.map((call, index) => {
      const { text, isError = false } = world(call.name, call.input);
      return { type: 'tool_result', tool_use_id: `${step}-${index}`, content: text, is_error: isError };
    });
    messages.push({ role: 'user', content: results });
  }
  throw new Error(`"${asked}" never comes to an end`);
}

const project: ToolWorld = (name, input) => {
  if (name === 'Bash' && String(input['command']).startsWith('find '))
    return { text: './README.md\n./hello.py\n./package.json' };
  if (name === 'Read' && String(input['file_path']).endsWith('README.md'))
    return { text: '     1→# Weather\n     2→\n     3→Tells the weather.' };
  if (name === 'Read') return { text: 'File does not exist.', isError: true };
  if (name === 'TaskCreate') return { text: `Task #${String(input['subject']).length} created successfully` };
  return { text: 'ok' };
};
const denied: ToolWorld = () => ({ text: 'Denied by a person: not now', isError: true });
const broken: ToolWorld = () => ({ text: 'Something else went wrong', isError: true });

const REQUESTS: readonly (readonly [string, string])[] = [
  ['hello', 'greet'],
  ['¿qué tal?', 'greet'],
  ['explain this project', 'explain-project'],
  ['What is in this repo?', 'explain-project'],
  ['create a file called hello.py', 'create-file'],
  ['Write a small html page', 'create-file'],
  ['edit the README', 'edit-file'],
  ['please replace "a" with "b" in src/x.ts', 'edit-file'],
  ['add a line to notes.md', 'edit-file'],
  ['run `npm test`', 'run-command'],
  ['run the tests', 'run-command'],
  ['run a command that fails', 'run-command'],
  ['what changed?', 'run-command'],
  ['make a task list', 'make-plan'],
  ['Create a to-do list for a blog', 'make-plan'],
  ['think step by step about bats', 'think'],
  ['show me markdown', 'show-markdown'],
  ['count to 20', 'long-answer'],
  ['fail', 'fail'],
  ['simulate a rate limit', 'fail'],
  ['ask me a question', 'ask-question'],
  ['use a sub-agent', 'delegate'],
  ['find "weather"', 'search'],
  ['where is greeting?', 'search'],
];

describe('the demo', () => {
  it('has a script of its kind for each starter prompt', () => {
    const scripts = STARTER_PROMPTS.map(({ message }) => play(message, project).scripts.at(-1));
    expect(scripts).toEqual(['explain-project', 'run-command', 'edit-file', 'make-plan', 'ask-question']);
  });

  it.each(REQUESTS)('answers %j with the script %s, and comes to an end', (asked, script) => {
    const { scripts, texts } = play(asked, project);
    expect(new Set(scripts)).toEqual(new Set([script]));
    expect(script === 'fail' || (texts.at(-1) ?? '').length > 20).toBe(true);
  });

  it.each(REQUESTS)('comes to an end for %j also when every tool is denied or fails', (asked) => {
    for (const world of [denied, broken]) {
      const { texts, last } = play(asked, world);
      expect(last.kind === 'error' || (texts.at(-1) ?? '').length > 20).toBe(true);
    }
  });

  it('says so when a command was denied, and calls nothing a success that failed', () => {
    expect(play('run `rm x`', denied).texts.at(-1)).toMatch(/not allowed, so nothing was run/);
    expect(play('run `rm x`', broken).texts.at(-1)).toMatch(/The command failed/);
    expect(play('create a file called a.md', denied).texts.at(-1)).toMatch(/nothing was changed/);
    expect(
      play('edit the README', (name, input) => (name === 'Edit' ? denied(name, input) : project(name, input))).texts.at(
        -1,
      ),
    ).toMatch(/the file is as it was/);
  });

  it('never writes over a file that is there', () => {
    const writes = play('create a file called hello.py', project).calls.filter((call) => call.name === 'Write');
    expect(writes.map((call) => call.input['file_path'])).toEqual(['/w/hello-2.py']);
  });

  it('edits what was asked for, in words that stand in the file', () => {
    const edits = (asked: string): unknown[] =>
      play(asked, project)
        .calls.filter((call) => call.name === 'Edit')
        .map((call) => call.input);
    expect(edits('replace "Tells" with "Knows" in README.md')).toEqual([
      { file_path: '/w/README.md', old_string: 'Tells', new_string: 'Knows' },
    ]);
    expect(edits('edit the README')).toEqual([
      { file_path: '/w/README.md', old_string: '# Weather', new_string: '# Weather\n\n> The demo model was here.' },
    ]);
    expect(edits('replace "nowhere" with "x" in README.md')).toEqual([]);
  });

  it('runs the tests that the project has', () => {
    expect(play('run the tests', project).calls.map((call) => call.input['command'])).toEqual([
      expect.stringMatching(/^find /),
      'npm test',
    ]);
  });

  it('works off a task list of which it knows the ids', () => {
    const updates = play('make a task list', project)
      .calls.filter((call) => call.name === 'TaskUpdate')
      .map((call) => call.input['status']);
    expect(updates).toEqual(['in_progress', 'completed', 'in_progress', 'completed', 'in_progress', 'completed']);
  });

  it('makes a plan first where plan mode is on, and carries it out only when it is approved', () => {
    const system = 'Primary working directory: /w\nPlan mode is active. Write it to /config/plans/quiet-fox.md now.';
    const names = (world: ToolWorld): string[] =>
      play('improve this', world, [...TOOLS, 'ExitPlanMode'], system).calls.map((call) =>
        `${call.name} ${String(call.input['file_path'] ?? '')}`.trim(),
      );
    expect(names(() => ({ text: 'ok' }))).toEqual([
      'Write /config/plans/quiet-fox.md',
      'ExitPlanMode',
      'Write /w/plan-demo.md',
    ]);
    expect(names((name, input) => (name === 'ExitPlanMode' ? denied(name, input) : { text: 'ok' }))).toEqual([
      'Write /config/plans/quiet-fox.md',
      'ExitPlanMode',
    ]);
  });

  it('does without tools that are not there', () => {
    for (const [asked] of REQUESTS) {
      const { calls, texts } = play(asked, project, ['Read']);
      for (const call of calls) expect(call.name).toBe('Read');
      expect(asked === 'fail' || asked.includes('rate limit') || texts.length > 0).toBe(true);
    }
  });
});

describe('requests without tools', () => {
  const conversation = (asked: string, instructions: string): Conversation => ({
    asked,
    earlier: ['one', 'two'],
    step: 0,
    calls: [],
    answerSchema: null,
    tools: new Set(),
    instructions,
    workingDirectory: null,
  });
  const textOf = (asked: string, instructions: string): unknown => {
    const { reply } = answerWithoutTools(conversation(asked, instructions));
    return reply.kind === 'message' && reply.blocks[0]?.type === 'text' ? reply.blocks[0].text : null;
  };

  it('get a title, a summary or a digest', () => {
    expect(textOf('Please build me a very nice weather page today', 'Generate a title of 3-7 words.')).toBe(
      'Please build me a very nice',
    );
    expect(JSON.parse(String(textOf('Build a page', 'Answer as {"title": "…"}')))).toEqual({ title: 'Build a page' });
    expect(textOf('Your task is to create a detailed summary of the conversation so far', '')).toMatch(
      /<summary>[\s\S]*- one\n- two[\s\S]*<\/summary>/,
    );
    expect(textOf('Some web page', 'Digest this.')).toBe('In short: Some web page');
  });
});

describe('a person who says hello again', () => {
  const answer = (asked: string): string => {
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: asked },
    ];
    const { reply } = playScript(
      readConversation({
        model: 'm',
        stream: true,
        system: '',
        tools: TOOLS,
        answerSchema: null,
        maxTokens: null,
        messages,
      }),
    );
    return reply.kind === 'message'
      ? reply.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
      : '';
  };

  it.each(['hello', 'Hi there!', 'hey Claude', 'Good morning', 'hello again :)'])('%s: is greeted', (asked) => {
    expect(answer(asked)).toMatch(/^Hello again!/);
  });

  it('answers anything else with what the demo cannot do', () => {
    expect(answer('hello, translate this poem')).toMatch(/^You wrote/);
  });
});
