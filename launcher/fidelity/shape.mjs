/**
 * @typedef {{ type?: unknown, id?: string, name?: string, tool_use_id?: string }} Block
 * @typedef {object} ProgramRecord The fields of a record that are read here; the program may write others, and leave out any.
 * @property {unknown} [type]
 * @property {string} [subtype]
 * @property {string} [session_id]
 * @property {string} [request_id]
 * @property {number} [queued_turn_count]
 * @property {unknown} [error]
 * @property {{ content?: unknown }} [message]
 * @property {{ type?: string, content_block?: Block, delta?: { type?: string } }} [event]
 * @property {{ subtype?: string, input?: { tool_name?: string } }} [request]
 * @property {{ subtype?: string }} [response]
 * @typedef {{ order: string[], kinds: Map<string, Set<string>> }} Shape
 */

/** Maps whose keys are names from the world, not fields. */
const NAMED_BY_THE_WORLD = /(^|\.)(modelUsage|model_usage_since_last_result|by_type|answers|annotations)$/;
/** Written by the program's own clock: before or after the answer to what it was asked at its start. */
const WITHOUT_PLACE = new Set(['system/ui_invalidate']);
/** What the scripted model said, in whatever form: its shape is ours. */
const OURS = /(^|\.)(input|tool_input|updatedInput)$/;

/**
 * The kind of a record: its type, and what further tells records of one type apart. `tools` are the tools called so
 * far, by id.
 * @param {ProgramRecord} record
 * @param {Map<string, string>} tools
 * @returns {string}
 */
export function kindOf(record, tools) {
  const { type } = record;
  if (typeof type !== 'string') return 'without type';
  if (type === 'stream_event')
    return ['stream_event', record.event?.type, record.event?.content_block?.type ?? record.event?.delta?.type]
      .filter(Boolean)
      .join('/');
  if (type === 'control_request') return `control_request/${record.request?.subtype}`;
  if (type === 'control_response') return `control_response/${record.response?.subtype}`;
  if (type === 'assistant') return `assistant/${blocks(record).join('+')}${record.error ? '/error' : ''}`;
  if (type === 'user') return `user/${blocks(record, (id) => tools.get(id ?? '')).join('+')}`;
  return record.subtype === undefined ? type : `${type}/${record.subtype}`;
}

/**
 * Remembers which tools a record calls.
 * @param {ProgramRecord} record
 * @param {Map<string, string>} tools
 */
function noteTools(record, tools) {
  for (const block of contentOf(record)) if (block?.type === 'tool_use') tools.set(block.id ?? '', block.name ?? '');
}

/**
 * @param {ProgramRecord} record
 * @param {(id: string | undefined) => string | undefined} [toolOf]
 */
function blocks(record, toolOf) {
  return contentOf(record).map((block) => [block?.type, toolOf?.(block?.tool_use_id)].filter(Boolean).join(':'));
}

/**
 * @param {ProgramRecord} record
 * @returns {(Block | null)[]}
 */
function contentOf(record) {
  const content = record?.message?.content;
  return Array.isArray(content) ? content : typeof content === 'string' ? [{ type: 'text' }] : [];
}

/**
 * Adds every field of a value with its type, as `path: type`; elements of a list are one path. Values are left out.
 * @param {unknown} value
 * @param {string} path
 * @param {Set<string>} found
 */
function addFields(value, path, found) {
  if (path !== '') found.add(`${path}: ${typeOf(value)}`);
  if (OURS.test(path)) return;
  if (Array.isArray(value)) for (const one of value) addFields(one, `${path}[]`, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      addFields(inner, `${path === '' ? '' : `${path}.`}${NAMED_BY_THE_WORLD.test(path) ? '*' : key}`, found);
}

/** @param {unknown} value */
function typeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * The shape of a run's records: the order of their kinds, repetitions joined and without those that have no place in
 * it, and the fields of each kind.
 * @param {ProgramRecord[]} records
 * @returns {Shape}
 */
export function shapeOf(records) {
  /** @type {Map<string, string>} */
  const tools = new Map();
  /** @type {string[]} */
  const order = [];
  /** @type {Map<string, Set<string>>} */
  const kinds = new Map();
  for (const record of records) {
    noteTools(record, tools);
    const kind = kindOf(record, tools);
    if (!WITHOUT_PLACE.has(kind) && order.at(-1) !== kind) order.push(kind);
    const fields = kinds.get(kind) ?? new Set();
    addFields(record, '', fields);
    kinds.set(kind, fields);
  }
  return { order, kinds };
}
