import type { Scenario } from './scenario';
import { init, tool, tres } from './records';

const todos = (...items: [id: string, text: string, status: string][]) => ({
  kind: 'todo:update',
  items: items.map(([id, text, status]) => ({ id, text, status })),
});
const call = (id: string, name: string, input: unknown, result: unknown, content = 'ok'): unknown[] => [
  tool('m1', id, name, input),
  tres(id, content, { tool_use_result: result }),
];
/** The list of tasks. */
export const TODOS: Scenario[] = [
  {
    name: 'the list of tasks is kept from its calls',
    only: ['todo:update'],
    records: [
      init(),
      ...call('1', 'TaskCreate', { subject: 'One' }, { task: { id: 'a', subject: 'One' } }),
      ...call('2', 'TaskCreate', { subject: 'Two' }, undefined, 'Task #b created successfully: Two'),
      ...call('3', 'TaskCreate', { subject: 'Lost' }, undefined, 'no id here'),
      ...call('4', 'TaskUpdate', { taskId: 'a', status: 'in_progress' }, { success: true, taskId: 'a' }),
      ...call(
        '5',
        'TaskUpdate',
        { taskId: 'b', subject: 'Second' },
        { success: true, statusChange: { from: 'pending', to: 'completed' } },
      ),
      ...call('6', 'TaskUpdate', { status: 'completed' }, { success: true, taskId: 'old' }),
      ...call('7', 'TaskUpdate', { taskId: 'a', status: 'completed' }, { success: false }),
      ...call('8', 'TaskUpdate', {}, {}),
      ...call('9', 'TaskUpdate', { taskId: 'a', status: 'deleted' }, { success: true }),
      ...call('10', 'TaskUpdate', { taskId: 'a', status: 'deleted' }, { success: true }),
      ...call('11', 'TaskGet', { taskId: 'b' }, { task: { id: 'b', status: 'pending' } }),
      ...call('12', 'TaskGet', { taskId: 'x' }, { task: null }),
      ...call(
        '13',
        'TaskList',
        {},
        { tasks: [{ id: 'old', subject: 'Older', status: 'novel' }, { subject: 'no id' }, { id: 'c' }] },
      ),
      ...call('14', 'TaskList', {}, {}),
      ...call('15', 'TaskUpdate', { taskId: 'old', subject: 'Oldest' }, {}),
      ...call('16', 'TaskUpdate', { taskId: 'new' }, {}),
    ],
    events: [
      todos(['a', 'One', 'pending']),
      todos(['a', 'One', 'pending'], ['b', 'Two', 'pending']),
      todos(['a', 'One', 'in_progress'], ['b', 'Two', 'pending']),
      todos(['a', 'One', 'in_progress'], ['b', 'Second', 'completed']),
      todos(['a', 'One', 'in_progress'], ['b', 'Second', 'completed'], ['old', '#old', 'completed']),
      todos(['b', 'Second', 'completed'], ['old', '#old', 'completed']),
      todos(['b', 'Second', 'pending'], ['old', '#old', 'completed']),
      todos(['old', 'Older', 'completed'], ['c', '#c', 'pending']),
      todos(['old', 'Oldest', 'completed'], ['c', '#c', 'pending']),
      todos(['old', 'Oldest', 'completed'], ['c', '#c', 'pending'], ['new', '#new', 'pending']),
    ],
  },
  {
    name: 'a written list replaces the one before',
    only: ['todo:update'],
    records: [
      init(),
      ...call('1', 'TaskCreate', { subject: 'One' }, { task: { id: 'a' } }),
      ...call(
        '2',
        'TodoWrite',
        { todos: [{ content: 'X', status: 'completed' }, 'odd', { id: 'y', subject: 'Y' }] },
        {},
      ),
      ...call('3', 'TodoWrite', { todos: 'odd' }, {}),
    ],
    events: [todos(['a', 'One', 'pending']), todos(['1', 'X', 'completed'], ['y', 'Y', 'pending'])],
  },
  {
    name: 'neither a failed call, nor a sub-agent, nor another tool changes the list',
    only: ['todo:update'],
    records: [
      init(),
      tool('m1', '1', 'TaskCreate', { subject: 'One' }),
      tres('1', 'Task #a created', { isError: true }),
      tool('m1', '2', 'TaskCreate', { subject: 'One' }, 't0'),
      tres('2', 'Task #a created', { parent_tool_use_id: 't0' }),
      ...call('3', 'Bash', {}, { task: { id: 'a' } }),
    ],
    events: [],
  },
  {
    name: 'a cleared conversation has no list',
    only: ['todo:update'],
    records: [
      init(),
      ...call('1', 'TaskCreate', { subject: 'One' }, { task: { id: 'a' } }),
      { type: 'conversation_reset' },
      ...call('2', 'TaskCreate', { subject: 'Two' }, { task: { id: 'b' } }),
    ],
    events: [todos(['a', 'One', 'pending']), todos(['b', 'Two', 'pending'])],
  },
  {
    name: 'a list is bounded',
    only: ['todo:update'],
    records: [init(), ...call('1', 'TodoWrite', { todos: Array.from({ length: 600 }, () => ({ content: 'x' })) }, {})],
    events: [
      todos(...Array.from({ length: 500 }, (_, i): [string, string, string] => [String(i + 1), 'x', 'pending'])),
    ],
  },
];
