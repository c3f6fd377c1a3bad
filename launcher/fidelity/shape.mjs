/** Maps whose keys are names from the world, not fields. */
const NAMED_BY_THE_WORLD = /(^|\.)(modelUsage|model_usage_since_last_result|by_type|answers|annotations)$/;
/** What the scripted model said, in whatever form: its shape is ours. */
const OURS = /(^|\.)(input|tool_input|updatedInput)$/;

/** The kind of a record: its type, and what further tells records of one type apart. `tools` are the tools called so far, by id. */
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
  if (type === 'user') return `user/${blocks(record, (id) => tools.get(id)).join('+')}`;
  return record.subtype === undefined ? type : `${type}/${record.subtype}`;
}

/** Remembers which tools a record calls. */
function noteTools(record, tools) {
  for (const block of contentOf(record)) if (block?.type === 'tool_use') tools.set(block.id, block.name);
}

function blocks(record, toolOf = () => undefined) {
  return contentOf(record).map((block) => [block?.type, toolOf(block?.tool_use_id)].filter(Boolean).join(':'));
}

function contentOf(record) {
  const content = record?.message?.content;
  return Array.isArray(content) ? content : typeof content === 'string' ? [{ type: 'text' }] : [];
}

/** Every field of a value with its type, as `path: type`; elements of a list are one path. Values are left out. */
function fieldsOf(value, path = '', found = new Set()) {
  const type = typeOf(value);
  if (path !== '') found.add(`${path}: ${type}`);
  if (OURS.test(path)) return found;
  if (type === 'array') for (const one of value) fieldsOf(one, `${path}[]`, found);
  if (type !== 'object') return found;
  for (const [key, inner] of Object.entries(value))
    fieldsOf(inner, `${path === '' ? '' : `${path}.`}${NAMED_BY_THE_WORLD.test(path) ? '*' : key}`, found);
  return found;
}

function typeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The shape of a run's records: the order of their kinds, repetitions joined, and the fields of each kind. */
export function shapeOf(records) {
  const tools = new Map();
  const order = [];
  const kinds = new Map();
  for (const record of records) {
    noteTools(record, tools);
    const kind = kindOf(record, tools);
    if (order.at(-1) !== kind) order.push(kind);
    fieldsOf(record, '', kinds.get(kind) ?? kinds.set(kind, new Set()).get(kind));
  }
  return { order, kinds };
}
