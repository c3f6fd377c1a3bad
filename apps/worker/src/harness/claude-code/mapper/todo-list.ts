import { asArray, asName, asObject, asText, type JsonObject } from '../records/json';

type TodoStatus = 'pending' | 'in_progress' | 'completed';
type TodoItem = { id: string; text: string; status: TodoStatus };

/** A call that the program carried out: what it was asked and what it answered. */
type TodoCall = { input: JsonObject; result: JsonObject; content: string };

const MAX_ITEMS = 500;
const CREATED = /^Task #(\S+) created/;

/**
 * The list of a conversation, kept from the calls of the task tools (and of TodoWrite, which replaces it). It outlives
 * turns: ids keep counting in the next one. An update of a task that was created before we listened shows by its id.
 */
export class TodoList {
  private items = new Map<string, TodoItem>();

  /** The whole list after this call; null when it changed nothing or is no call of this kind. */
  apply(tool: string, call: TodoCall): TodoItem[] | null {
    const change = CHANGES.get(tool);
    if (!change || !change(this.items, call)) return null;
    for (const id of [...this.items.keys()].slice(MAX_ITEMS)) this.items.delete(id);
    return [...this.items.values()];
  }

  clear(): void {
    this.items.clear();
  }
}

type Items = Map<string, TodoItem>;

const CHANGES: ReadonlyMap<string, (items: Items, call: TodoCall) => boolean> = new Map([
  ['TaskCreate', createTask],
  ['TaskUpdate', updateTask],
  ['TaskList', replaceTasks],
  ['TaskGet', getTask],
  ['TodoWrite', writeTodos],
]);

function createTask(items: Items, { input, result, content }: TodoCall): boolean {
  const task = asObject(result['task']);
  const id = asName(task?.['id']) ?? CREATED.exec(content)?.[1] ?? null;
  if (id === null) return false;
  const text = asName(task?.['subject']) ?? asText(input['subject']) ?? '';
  items.set(id, { id, text, status: 'pending' });
  return true;
}

function updateTask(items: Items, { input, result }: TodoCall): boolean {
  if (result['success'] === false) return false;
  const id = asName(input['taskId']) ?? asName(result['taskId']);
  if (id === null) return false;
  const status = asText(input['status']) ?? asText(asObject(result['statusChange'])?.['to']);
  if (status === 'deleted') return items.delete(id);
  const known = items.get(id);
  const text = asName(input['subject']) ?? known?.text ?? `#${id}`;
  items.set(id, { id, text, status: readStatus(status) ?? known?.status ?? 'pending' });
  return true;
}

function replaceTasks(items: Items, { result }: TodoCall): boolean {
  const tasks = result['tasks'];
  if (!Array.isArray(tasks)) return false;
  const before = new Map(items);
  items.clear();
  for (const task of tasks) addTask(items, asObject(task), before);
  return true;
}

function getTask(items: Items, { result }: TodoCall): boolean {
  return addTask(items, asObject(result['task']), items);
}

function addTask(items: Items, task: JsonObject | null, before: ReadonlyMap<string, TodoItem>): boolean {
  const id = asName(task?.['id']);
  if (!task || id === null) return false;
  const known = before.get(id);
  items.set(id, {
    id,
    text: asName(task['subject']) ?? known?.text ?? `#${id}`,
    status: readStatus(asText(task['status'])) ?? known?.status ?? 'pending',
  });
  return true;
}

function writeTodos(items: Items, { input }: TodoCall): boolean {
  const todos = asArray(input['todos']);
  if (!Array.isArray(input['todos'])) return false;
  items.clear();
  todos.forEach((entry, position) => {
    const todo = asObject(entry);
    if (!todo) return;
    const id = asName(todo['id']) ?? String(position + 1);
    items.set(id, {
      id,
      text: asText(todo['content']) ?? asText(todo['subject']) ?? '',
      status: readStatus(asText(todo['status'])) ?? 'pending',
    });
  });
  return true;
}

function readStatus(status: string | null): TodoStatus | null {
  return status === 'pending' || status === 'in_progress' || status === 'completed' ? status : null;
}
