import { summariseTool } from './tool-summary';

const line = (name: string | null, input: unknown) => {
  const { verb, subject, detail } = summariseTool({ name, input }, '/workspace/demo');
  return [verb, subject, detail].filter(Boolean).join(' ');
};

describe('the one line of a tool', () => {
  it.each([
    ['Bash', { command: 'npm test\nnpm run lint', description: 'Run the tests' }, '$ npm test … Run the tests'],
    ['Read', { file_path: '/workspace/demo/src/a.ts', offset: 10, limit: 5 }, 'Read src/a.ts lines 10–14'],
    ['Read', { file_path: '/etc/hosts' }, 'Read /etc/hosts'],
    ['Edit', { file_path: '/workspace/demo/src/a.ts' }, 'Edit src/a.ts'],
    ['Grep', { pattern: 'foo.*', path: '/workspace/demo/src' }, 'Search foo.* in src'],
    ['Agent', { description: 'Look around', subagent_type: 'Explore' }, 'Agent Look around Explore'],
    ['Task', { prompt: 'Read it all\nand more' }, 'Agent Read it all …'],
    ['TaskUpdate', { taskId: '3', status: 'in_progress' }, 'Task #3 in progress'],
    ['AskUserQuestion', { questions: [{ question: 'Which one?' }] }, 'Question Which one?'],
    ['mcp__github__list_issues', { state: 'open' }, 'github · list_issues {"state":"open"}'],
    ['Sleep', {}, 'Sleep'],
    [null, null, 'Tool'],
    ['Bash', 'not an object', '$'],
  ])('%s %j', (name, input, expected) => {
    expect(line(name, input)).toBe(expected);
  });
});
