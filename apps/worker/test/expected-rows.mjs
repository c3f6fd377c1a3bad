#!/usr/bin/env node
// Derives what each recording amounts to and writes test/expected.json. It shares nothing with the product: it looks at
// a whole recording at once, by a few plain rules, and rows written by hand (by-hand.mjs) stand above the rules.
//   node apps/worker/test/expected-rows.mjs [--check]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byHand } from './by-hand.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const recordings = join(here, 'recordings');
const target = join(here, 'expected.json');
const READING_TOOLS = 'Read Glob Grep LS Ls WebFetch WebSearch TaskGet TaskList StructuredOutput'.split(' ');

const readOr = (file, fallback) => {
  try {
    return readFileSync(join(recordings, file), 'utf8');
  } catch {
    return fallback;
  }
};
const flag = (argv, name) => {
  const at = argv.indexOf(name);
  return at === -1 ? null : argv[at + 1];
};
const isMain = (record) => (record.parent_tool_use_id ?? null) === null;
const blocks = (record) => (Array.isArray(record.message?.content) ? record.message.content : []);
const hasFailed = (record) => record.is_api_error_message === true || record.error !== undefined;
const dollars = (units) => {
  const text = units.toString().padStart(11, '0');
  return `${text.slice(0, -10)}.${text.slice(-10)}`.replace(/\.?0+$/, '');
};

function load(name) {
  const records = [];
  let noise = 0;
  for (const line of readOr(`${name}.ndjson`, '').split('\n')) {
    if (line.trim() === '') continue;
    try {
      records.push(...[JSON.parse(line)].flat());
    } catch {
      noise += 1;
    }
  }
  const meta = JSON.parse(readOr(`${name}.meta.json`, '{}'));
  return {
    records,
    noise,
    stderr: readOr(`${name}.stderr`, ''),
    argv: meta.argv ?? [],
    cwd: meta.cwd ?? null,
    exit: { code: meta.exitCode ?? null, signal: meta.signal ?? null },
  };
}

/** The answer: what the result says, and where it says nothing, the last message that has text. */
function answer(records, result) {
  if (result && result.is_error === false) return result.result ?? '';
  const begun = result?.begun_message_ids ?? [];
  const spoken = records.filter(
    (record) =>
      record.type === 'assistant' &&
      isMain(record) &&
      !hasFailed(record) &&
      blocks(record).some((block) => block.type === 'text'),
  );
  const own = begun.length > 0 ? spoken.filter((record) => begun.includes(record.message.id)) : spoken;
  const whole = own.at(-1);
  const isOwn = (id) => begun.length === 0 || begun.includes(id);
  if (whole)
    return own
      .filter((record) => record.message.id === whole.message.id)
      .flatMap(blocks)
      .map((block) => block.text ?? '')
      .join('');
  const abandoned = records
    .filter((record) => record.abandoned_blocks?.from_block_index === 0)
    .map((record) => record.abandoned_blocks.api_message_id);
  return records
    .filter(
      (record) =>
        record.event?.delta?.type === 'text_delta' &&
        isOwn(record.api_message_id) &&
        !abandoned.includes(record.api_message_id),
    )
    .map((record) => record.event.delta.text)
    .join('');
}

function resultState(records, result) {
  if (!result.is_error) return result.result || result.local_command ? ['completed', null] : ['failed', 'NO_RESULT'];
  const reason = result.terminal_reason ?? '';
  if (reason.startsWith('aborted_')) return ['interrupted', 'INTERRUPTED'];
  const said = (result.errors ?? []).join('\n');
  const failure = records.filter((record) => record.type === 'assistant' && hasFailed(record)).at(-1)?.error;
  const status = result.api_error_status;
  const code =
    {
      max_turns: 'MAX_TURNS',
      budget_exhausted: 'BUDGET_EXCEEDED',
      prompt_too_long: 'PROMPT_TOO_LONG',
      image_error: status === 413 ? 'PROMPT_TOO_LONG' : 'ATTACHMENT_UNSUPPORTED',
    }[reason] ??
    (/No conversation found|does not match any session/.test(said) ? 'RESUME_FAILED' : null) ??
    (result.stop_reason === 'refusal' ? 'MODEL_REFUSED' : null) ??
    (failure === 'billing_error' ? 'MODEL_AUTH_FAILED' : null) ??
    {
      401: 'MODEL_AUTH_FAILED',
      403: 'MODEL_AUTH_FAILED',
      404: 'HARNESS_FAILURE',
      400: 'HARNESS_FAILURE',
      429: 'MODEL_RATE_LIMITED',
      500: 'MODEL_UNREACHABLE',
      529: 'MODEL_OVERLOADED',
    }[status] ??
    { authentication_failed: 'MODEL_AUTH_FAILED', server_error: 'MODEL_UNREACHABLE', unknown: 'MODEL_UNREACHABLE' }[
      failure
    ] ??
    'HARNESS_FAILURE';
  return ['failed', code];
}

function endWithoutResult({ records, stderr, exit }) {
  if (/No conversation found/.test(stderr)) return 'RESUME_FAILED';
  if (exit.signal || (exit.code > 0 && records.some((record) => record.subtype === 'init'))) return 'PROCESS_CRASHED';
  if (exit.code > 0) return stderr.trim() === '' ? 'PROCESS_CRASHED' : 'HARNESS_FAILURE';
  return 'NO_RESULT';
}

function cost(results) {
  if (results.length === 0) return null;
  const units = (usd) => BigInt(Math.round(usd * 1e10));
  if (results.every((result) => result.model_usage_since_last_result === undefined))
    return dollars(units(results.at(-1).total_cost_usd));
  return dollars(
    results
      .flatMap((result) => Object.values(result.model_usage_since_last_result ?? {}))
      .reduce((sum, part) => sum + units(part.costUSD), 0n),
  );
}

/**
 * Tokens in, out, read from the cache, written to it: as the results say, else as the stream's last word on each
 * message.
 */
function usage(records, results) {
  const add = (list) => list.reduce((sum, parts) => sum.map((n, i) => n + (parts[i] ?? 0)), [0, 0, 0, 0]);
  const plain = (it) => [it.input_tokens, it.output_tokens, it.cache_read_input_tokens, it.cache_creation_input_tokens];
  const models = results.flatMap((result) =>
    Object.values(result.model_usage_since_last_result ?? (results.length === 1 ? result.modelUsage : null) ?? {}),
  );
  if (models.length > 0)
    return add(
      models.map((it) => [it.inputTokens, it.outputTokens, it.cacheReadInputTokens, it.cacheCreationInputTokens]),
    );
  if (results.length > 0) return add(results.map((result) => plain(result.usage)));
  const last = new Map(
    records
      .filter((record) => record.event?.usage || record.event?.message?.usage)
      .map((record) => [record.api_message_id, plain(record.event.usage ?? record.event.message.usage)]),
  );
  return add([...last.values()]);
}

/** What is said of a tool while it runs. */
function progress(records) {
  const isOver = (id, at) =>
    records
      .slice(0, at)
      .some((record) => record.type === 'user' && blocks(record).some((block) => block.tool_use_id === id));
  return records.flatMap((record, at) => {
    if (!/^task_(started|progress|notification)$/.test(record.subtype ?? '') || isOver(record.tool_use_id, at))
      return [];
    return [
      {
        id: record.tool_use_id,
        text: record.subtype === 'task_notification' ? `${record.status}: ${record.summary}` : record.description,
      },
    ];
  });
}

/** Tools that say which lines they changed. */
function patched(records) {
  const changes = records.filter(
    (record) => record.type === 'user' && record.tool_use_result?.structuredPatch?.length > 0,
  );
  return changes.flatMap((record) => blocks(record).map((block) => block.tool_use_id));
}

function tools(records) {
  const uses = records
    .filter((record) => record.type === 'assistant')
    .flatMap((record) =>
      blocks(record)
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({ block, parent: record.parent_tool_use_id ?? null })),
    );
  const answers = new Map(
    records
      .filter((record) => record.type === 'user')
      .flatMap(blocks)
      .filter((block) => block.type === 'tool_result')
      .map((block) => [block.tool_use_id, block.is_error === true]),
  );
  return uses.map(({ block, parent }) => ({
    id: block.id,
    name: block.name,
    parent,
    failed: answers.get(block.id) ?? null,
  }));
}

function notices({ records, argv }) {
  let mode = flag(argv, '--permission-mode') ?? 'default';
  const codes = {
    permission_denied: 'PERMISSION_DENIED',
    model_fallback: 'MODEL_FALLBACK',
    informational: 'INFORMATIONAL',
    model_refusal_no_fallback: 'MODEL_REFUSED',
  };
  return records.flatMap((record) => {
    if (record.type === 'conversation_reset') return ['CONVERSATION_RESET'];
    if (record.type !== 'system') return [];
    if (record.subtype === 'status' && record.permissionMode && record.permissionMode !== mode) {
      mode = record.permissionMode;
      return ['PERMISSION_MODE'];
    }
    if (record.subtype === 'init')
      return record.mcp_servers.filter((server) => server.status === 'failed').map(() => 'MCP_SERVER_FAILED');
    return codes[record.subtype] ? [codes[record.subtype]] : [];
  });
}

function withdrawn(records) {
  const streamed = (id, from) =>
    records.some(
      (record) =>
        record.api_message_id === id && record.event?.delta?.type === 'text_delta' && record.event.index >= from,
    );
  const abandoned = records
    .filter((record) => record.abandoned_blocks)
    .map(({ abandoned_blocks: it }) => ({ messageId: it.api_message_id, fromBlock: it.from_block_index }));
  const refused = records
    .filter((record) => record.refusal_retry)
    .map((record) => ({ messageId: record.refused_message_id, fromBlock: 0 }));
  return [...abandoned, ...refused].filter(({ messageId, fromBlock }) => streamed(messageId, fromBlock));
}

export function deriveRow(name) {
  const recording = load(name);
  const { records, argv } = recording;
  const results = records.filter((record) => record.type === 'result');
  const init = records.find((record) => record.subtype === 'init');
  const last = results.at(-1);
  const [state, code] = last ? resultState(records, last) : ['failed', endWithoutResult(recording)];
  const calls = tools(records);
  const asked = flag(argv, '--resume');
  const denials = last?.permission_denials ?? [];
  const said = (type, main) =>
    records
      .filter((record) => record.type === 'assistant' && isMain(record) === main && !hasFailed(record))
      .flatMap(blocks)
      .filter((block) => block.type === type);
  return {
    state,
    code,
    text: answer(records, last),
    degraded: !last || (state === 'failed' && code === 'NO_RESULT'),
    results: results.map((result) => ({ state: resultState(records, result)[0], text: answer(records, result) })),
    sessionId: init?.session_id ?? (last && !last.is_error ? last.session_id : null),
    forkedFrom: asked && init && asked !== init.session_id ? asked : null,
    model: records.find((record) => record.subtype === 'model_fallback')?.fallback_model ?? init?.model ?? null,
    costUsd: cost(results),
    usage: usage(records, results),
    tools: calls,
    progress: progress(records),
    patched: patched(records),
    mutating: calls.some((call) => !READING_TOOLS.includes(call.name)),
    denials: denials.map((denial) => ({ tool: denial.tool_name, toolUseId: denial.tool_use_id })),
    retries: records.filter((record) => record.subtype === 'api_retry').map((record) => record.error_status),
    withdrawn: withdrawn(records),
    blocks: said('text', true).filter((block) => block.text !== '').length,
    thinking: said('thinking', true)
      .map((block) => block.thinking)
      .join(''),
    subagents: records
      .filter((record) => record.type === 'assistant' && !isMain(record))
      .flatMap((record) =>
        blocks(record)
          .filter((block) => block.type === 'text')
          .map((block) => ({ parent: record.parent_tool_use_id, text: block.text })),
      ),
    notices: notices(recording),
    todos: null,
    compactions: records
      .filter((record) => record.subtype === 'compact_boundary')
      .map((record) => record.compact_metadata.trigger),
    controlRequests: records
      .filter((record) => record.type === 'control_request')
      .map((record) => record.request.subtype),
    controlAnswers: records
      .filter((record) => record.type === 'control_response')
      .map((record) => record.response.subtype === 'success'),
    noise: recording.noise,
  };
}

const names = readdirSync(recordings)
  .filter((file) => file.endsWith('.ndjson'))
  .map((file) => file.slice(0, -'.ndjson'.length))
  .sort();
const rows = Object.fromEntries(
  names.map((name) => [name, { ...(byHand[name] ?? deriveRow(name)), byHand: name in byHand }]),
);
for (const name of Object.keys(byHand)) {
  if (!names.includes(name)) throw new Error(`by-hand.mjs has a row for a recording that is not there: ${name}`);
  const derived = JSON.stringify(deriveRow(name));
  if (process.argv.includes('--compare') && derived !== JSON.stringify(byHand[name]))
    console.log(`${name}\n  rule ${derived}\n  hand ${JSON.stringify(byHand[name])}`);
}
const text = `{\n${Object.entries(rows)
  .map(([name, row]) => `${JSON.stringify(name)}: ${JSON.stringify(row)}`)
  .join(',\n')}\n}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('expected.json is out of date: run node apps/worker/test/expected-rows.mjs');
    process.exitCode = 1;
  }
} else writeFileSync(target, text);
