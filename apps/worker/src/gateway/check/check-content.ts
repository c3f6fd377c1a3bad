import {
  checkFields,
  fieldsOf,
  isBoolean,
  isData,
  isText,
  listOf,
  objectAt,
  oneOf,
  orNull,
  refuseValue,
  type Check,
} from './fields';
import { isObject } from './parse-body';
import { shownName } from './request-refused';

const cacheControl: Check = orNull(fieldsOf({ type: oneOf('ephemeral'), ttl: oneOf('5m', '1h') }));
const caller: Check = orNull(fieldsOf({ type: oneOf('direct') }));

/** Data that is in the request itself. A `url` or `file` would have the service fetch something, which no list of hosts could keep back. */
const source: Check = (value, place) => {
  const { type } = objectAt(value, place);
  if (type === 'base64' || type === 'text')
    return checkFields(objectAt(value, place), { type: isText, media_type: isText, data: isText }, place);
  refuseValue(`${place} ${shownName(type)}`, 'a picture or document has to be in the request itself');
};

/** A part of tools that the model is given or loses in the middle of a conversation. */
const changedTool: Check = (value, place) => {
  const { type } = objectAt(value, place);
  if (type === 'tool_definition')
    return checkFields(objectAt(value, place), { type: isText, definition: customTool }, place);
  fieldsOf({ type: oneOf('tool_reference'), name: isText, tool_name: isText })(value, place);
};

/** A tool that the program itself runs. Tools with a type are run by the service, or are its own. */
export const customTool: Check = (value, place) => {
  const tool = objectAt(value, place);
  const { type } = tool;
  if (type !== undefined && type !== 'custom')
    refuseValue(`tool ${shownName(type)}`, 'it would be run by the model’s service, outside of this project’s rules');
  const flag = orNull(isBoolean);
  checkFields(
    tool,
    {
      type: isText,
      name: isText,
      description: isText,
      input_schema: isData,
      cache_control: cacheControl,
      defer_loading: flag,
      strict: flag,
      eager_input_streaming: flag,
    },
    `${place} ${shownName(tool['name'])}`,
  );
};

type Fields = Readonly<Record<string, Check>>;

const IN_RESULTS: Readonly<Record<string, Fields>> = {
  text: { text: isText, cache_control: cacheControl, citations: orNull(isData) },
  image: { source, cache_control: cacheControl },
  document: {
    source,
    title: orNull(isText),
    context: orNull(isText),
    citations: orNull(fieldsOf({ enabled: isBoolean })),
    cache_control: cacheControl,
  },
};

const resultContent: Check = (value, place) => {
  if (typeof value !== 'string') listOf((block, at) => checkBlock(block, at, IN_RESULTS))(value, place);
};

const IN_MESSAGES: Readonly<Record<string, Fields>> = {
  ...IN_RESULTS,
  tool_use: { id: isText, name: isText, input: isData, cache_control: cacheControl, caller },
  tool_result: {
    tool_use_id: isText,
    content: resultContent,
    is_error: orNull(isBoolean),
    cache_control: cacheControl,
  },
  thinking: { thinking: isText, signature: isText, cache_control: cacheControl },
  redacted_thinking: { data: isText, cache_control: cacheControl },
  tool_addition: { tool: changedTool, cache_control: cacheControl },
  tool_removal: { tool: changedTool, cache_control: cacheControl },
};

/** What the service's own search of the web leaves in a conversation. */
const OF_WEB_SEARCH: Readonly<Record<string, Fields>> = {
  server_tool_use: { id: isText, name: oneOf('web_search'), input: isData, cache_control: cacheControl, caller },
  web_search_tool_result: { tool_use_id: isText, content: isData, cache_control: cacheControl, caller },
};

export function systemPrompt(value: unknown, place: string): void {
  if (typeof value !== 'string')
    listOf((block, at) => checkBlock(block, at, { text: IN_RESULTS['text'] ?? {} }))(value, place);
}

/** The messages of a conversation, in which nothing makes the service fetch or run something. */
export function messagesWith({ webSearch }: { webSearch: boolean }): Check {
  const blocks = webSearch ? { ...IN_MESSAGES, ...OF_WEB_SEARCH } : IN_MESSAGES;
  const content: Check = (value, place) => {
    if (typeof value !== 'string') listOf((block, at) => checkBlock(block, at, blocks))(value, place);
  };
  const message = fieldsOf({
    role: oneOf('user', 'assistant', 'system'),
    content,
    output_config: fieldsOf({ effort: isText }),
  });
  return listOf((value) => message(value, 'message'));
}

const MAY_NAME_A_PLACE = /ur[il]|file|source|container|server/i;

function checkBlock(value: unknown, place: string, kinds: Readonly<Record<string, Fields>>): void {
  const block = objectAt(value, place);
  const { type } = block;
  const fields = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (!fields) return refuseValue(`content of type ${shownName(type)}`);
  for (const [name, member] of Object.entries(block)) {
    if (name === 'type') continue;
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check) check(member, `${String(type)}.${name}`);
    // The program sends back what the service said, which may have words that are younger than this list. They name nothing.
    else if (isObject(member) || Array.isArray(member) || MAY_NAME_A_PLACE.test(name))
      refuseValue(`${String(type)}.${shownName(name)}`);
  }
}
