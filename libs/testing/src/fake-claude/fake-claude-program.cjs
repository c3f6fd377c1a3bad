#!/usr/bin/env node
'use strict';
/*
 * A stand-in for `claude` that plays a script and needs nothing but itself: it runs where only /usr, its workspace and
 * its configuration directory can be seen. The script is, in this order, what was written into this file when it was
 * installed, $FAKE_CLAUDE_SCRIPT (a path or JSON), $CLAUDE_CONFIG_DIR/fake-claude.json, ./.fake-claude.json, and for a
 * single turn a message that begins with the marker below. `start` is played at once, `turns[n]` for message n, the
 * last for all that follow; without either, every message is answered with what it says. What happens to it goes to
 * $FAKE_CLAUDE_LOG or $CLAUDE_CONFIG_DIR/fake-claude.log, one JSON object per line. The steps are described in
 * fake-claude-script.ts.
 */
const { spawn } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const path = require('node:path');

const INSTALLED_SCRIPT = null;
const MARKER = '[[fake-claude]]';
const VERSION = '2.1.332';

const argv = process.argv.slice(2);
const flag = (name) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const configDir = process.env.CLAUDE_CONFIG_DIR || path.join(process.env.HOME || '/tmp', '.claude');
const logFile = process.env.FAKE_CLAUDE_LOG || path.join(configDir, 'fake-claude.log');

if (argv.includes('--version')) {
  process.stdout.write(`${VERSION} (Claude Code)\n`);
  process.exit(0);
}

function log(what, facts = {}) {
  try {
    fs.mkdirSync(path.dirname(logFile), { recursive: true });
    fs.appendFileSync(logFile, `${JSON.stringify({ at: Date.now(), pid: process.pid, what, ...facts })}\n`);
  } catch {
    // A test may take the log's place away on purpose.
  }
}

function readScript() {
  if (INSTALLED_SCRIPT) return INSTALLED_SCRIPT;
  const named = process.env.FAKE_CLAUDE_SCRIPT;
  if (named?.trimStart().startsWith('{')) return JSON.parse(named);
  for (const file of [named, path.join(configDir, 'fake-claude.json'), path.resolve('.fake-claude.json')]) {
    if (file && fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8'));
  }
  return {};
}

// ---- output ---------------------------------------------------------------------------------------------------------

function writeAll(descriptor, bytes) {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += fs.writeSync(descriptor, bytes, at, Math.min(bytes.length - at, 65_536));
    } catch (error) {
      if (error.code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      else if (error.code === 'EPIPE' || error.code === 'EBADF') return;
      else throw error;
    }
  }
}

const sessionId = flag('--resume') ?? randomUUID();
const state = {
  model: flag('--model') ?? 'claude-fake-1',
  permissionMode: flag('--permission-mode') ?? 'default',
  results: 0,
  exitCode: 0,
  begun: false,
  message: '',
  lastText: '',
};

/** Fills in what a script cannot know: `$session`, `$message`, `$cwd`, `$uuid`, and `$fill:N` for N letters. */
function fill(value) {
  if (typeof value === 'string') {
    if (value.startsWith('$fill:')) return 'A'.repeat(Number(value.slice(6)));
    return value
      .replaceAll('$session', sessionId)
      .replaceAll('$cwd', process.cwd())
      .replaceAll('$uuid', () => randomUUID())
      .replaceAll('$message', () => state.message);
  }
  if (Array.isArray(value)) return value.map(fill);
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part)]));
  return value;
}

function lineOf(record) {
  return Buffer.from(`${JSON.stringify(fill(record))}\n`);
}

function emit(record) {
  if (record.type === 'system' && record.subtype === 'init') state.begun = true;
  if (record.type === 'result') {
    state.exitCode = record.is_error ? 1 : 0;
    state.results += 1;
  }
  for (const block of (record.type === 'assistant' && record.parent_tool_use_id === null && record.message.content) ||
    []) {
    if (block.type === 'text') state.lastText = fill(block.text);
  }
  writeAll(1, lineOf(record));
}

function initRecord(change = {}) {
  const tools = flag('--tools');
  return {
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    session_id: sessionId,
    tools: tools ? tools.split(',') : ['Task', 'Bash', 'Edit', 'Read', 'Write'],
    mcp_servers: [],
    model: state.model,
    permissionMode: state.permissionMode,
    apiKeySource: 'ANTHROPIC_API_KEY',
    claude_code_version: VERSION,
    uuid: randomUUID(),
    ...change,
  };
}

/** Says the last text of the main conversation, unless `change` says another, or null for none. */
function resultRecord(change = {}) {
  const record = {
    duration_api_ms: 1,
    stop_reason: 'end_turn',
    session_id: sessionId,
    total_cost_usd: 0,
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    modelUsage: {},
    permission_denials: [],
    terminal_reason: 'completed',
    is_error: false,
    num_turns: 1,
    subtype: 'success',
    type: 'result',
    duration_ms: 1,
    queued_turn_count: 0,
    result_index: state.results,
    result: state.lastText,
    ...change,
  };
  if (record.result === null) delete record.result;
  return record;
}

function toolResultRecord(id, content, isError, parent = null, details) {
  return {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }],
    },
    parent_tool_use_id: parent,
    session_id: sessionId,
    ...(details === undefined ? {} : { tool_use_result: details }),
  };
}

// ---- input ----------------------------------------------------------------------------------------------------------

const waiting = { messages: [], answers: new Map(), signals: new Map(), stdinEnd: [] };
const messages = [];
let hooks = null;
let stdinEnded = false;
let ignoresStdinEnd = false;
/** What an interrupt by control request does: null for what the real program does. */
let onInterrupt = null;
/** The turn that is being played; an interrupt ends it. */
let current = null;
let requests = 0;

function answer(requestId, response) {
  emit({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } });
}

function acceptControl({ request_id: requestId, request }) {
  if (request.subtype === 'initialize') {
    hooks = request.hooks ?? null;
    return answer(requestId, { commands: [], models: [], agents: [], account: {} });
  }
  if (request.subtype === 'interrupt') {
    if (onInterrupt?.ignore) return;
    answer(requestId, { still_queued: [] });
    return void interrupt(onInterrupt?.steps);
  }
  if (request.subtype === 'set_model') state.model = request.model;
  if (request.subtype === 'set_permission_mode') state.permissionMode = request.mode;
  answer(
    requestId,
    request.subtype === 'set_permission_mode'
      ? { mode: request.mode }
      : request.subtype === 'set_model'
        ? { model: request.model }
        : {},
  );
}

async function interrupt(steps) {
  const turn = current;
  if (!turn || turn.over) return;
  turn.over = true;
  for (const requestId of waiting.answers.keys()) emit({ type: 'control_cancel_request', request_id: requestId });
  waiting.answers.clear();
  if (steps) await play(steps, { over: false });
  else
    emit(
      resultRecord({
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_streaming',
        errors: ['[ede_diagnostic] interrupted'],
        result: null,
      }),
    );
  turn.end();
}

function acceptLine(line) {
  if (line.trim() === '') return;
  log('stdin', { line: line.length > 2_000 ? `${line.slice(0, 2_000)}… ${line.length}` : line });
  let record;
  try {
    record = JSON.parse(line);
  } catch {
    process.stderr.write('Error parsing streaming input line\n');
    process.exit(1);
  }
  if (record.type === 'control_request') acceptControl(record);
  else if (record.type === 'control_response') {
    const requestId = record.response.request_id;
    waiting.answers.get(requestId)?.(record.response);
    waiting.answers.delete(requestId);
  } else if (record.type === 'user') {
    messages.push(record);
    waiting.messages.shift()?.();
  }
}

function readStdin() {
  let open = '';
  const decoder = new TextDecoder();
  process.stdin.on('data', (chunk) => {
    const lines = (open + decoder.decode(chunk, { stream: true })).split('\n');
    open = lines.pop();
    for (const line of lines) acceptLine(line);
  });
  process.stdin.on('error', () => undefined);
  process.stdin.on('end', () => {
    if (open !== '') acceptLine(open);
    stdinEnded = true;
    log('stdin-end');
    for (const resolve of waiting.stdinEnd.splice(0)) resolve();
    for (const resolve of waiting.answers.values()) resolve({ subtype: 'error', error: 'stdin ended' });
    if (!current) leave();
  });
}

function leave() {
  if (!ignoresStdinEnd) exit(state.exitCode);
}

function exit(code) {
  log('exit', { code });
  process.exit(code);
}

async function nextMessage() {
  while (messages.length === 0) await new Promise((resolve) => waiting.messages.push(resolve));
  const { content } = messages.shift().message;
  state.message = typeof content === 'string' ? content : content.map((block) => block.text ?? '').join('');
  return state.message;
}

function requestHost(request) {
  const requestId = `fake-${(requests += 1)}`;
  return new Promise((resolve) => {
    waiting.answers.set(requestId, resolve);
    emit({ type: 'control_request', request_id: requestId, request });
  });
}

// ---- signals --------------------------------------------------------------------------------------------------------

const traps = new Map();
const DEFAULT_EXITS = { SIGTERM: 143, SIGHUP: 129 };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1']) {
  process.on(signal, () => {
    log('signal', { signal });
    for (const resolve of waiting.signals.get(signal) ?? []) resolve();
    waiting.signals.delete(signal);
    const trap = traps.get(signal);
    if (trap) return void play(trap, { over: false });
    if (signal === 'SIGINT' && state.begun && current) return void interrupt().then(() => exit(0));
    if (DEFAULT_EXITS[signal]) return exit(DEFAULT_EXITS[signal]);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

// ---- steps ----------------------------------------------------------------------------------------------------------

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const forever = () => new Promise(() => setInterval(() => undefined, 60_000));

const STEPS = {
  emit: ({ record }) => emit(record),
  init: ({ change }) => emit(initRecord(change)),
  result: ({ change }) => emit(resultRecord(change)),
  /** Bytes as they are, in pieces that end at the given points, with a pause after each. */
  async write({ text, base64, record, cuts = [], delayMs = 0, stream = 'stdout' }) {
    const bytes = record ? lineOf(record) : base64 ? Buffer.from(base64, 'base64') : Buffer.from(fill(text));
    const ends = cuts === 'every-byte' ? Array.from(bytes, (_, at) => at + 1) : [...cuts, bytes.length];
    let from = 0;
    for (const end of ends) {
      writeAll(stream === 'stderr' ? 2 : 1, bytes.subarray(from, end));
      from = end;
      await sleep(delayMs);
    }
  },
  /** Floods a stream with letters; `open` begins it as a record that never ends. */
  flood({ stream = 'stdout', bytes, lineBytes, open }) {
    const descriptor = stream === 'stderr' ? 2 : 1;
    if (open) writeAll(descriptor, Buffer.from('{"type":"flood","data":"'));
    const piece = Buffer.alloc(Math.min(bytes, lineBytes ?? 65_536), 'x');
    if (lineBytes) piece[piece.length - 1] = 0x0a;
    for (let written = 0; written < bytes; written += piece.length) writeAll(descriptor, piece);
  },
  stderr: ({ text }) => writeAll(2, Buffer.from(fill(text))),
  sleep: ({ ms }) => sleep(ms),
  hang: () => forever(),
  /** Keeps the processor busy: nothing, no signal either, is handled meanwhile. */
  busy({ ms = Number.POSITIVE_INFINITY }) {
    const until = Date.now() + ms;
    while (Date.now() < until);
  },
  exit: ({ code }) => exit(code),
  die: ({ signal }) => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return forever();
  },
  closeStdout: () => fs.closeSync(1),
  closeStdin: () => process.stdin.destroy(),
  ignoreStdinEnd: () => {
    ignoresStdinEnd = true;
    setInterval(() => undefined, 60_000);
  },
  awaitStdinEnd: () => (stdinEnded ? undefined : new Promise((resolve) => waiting.stdinEnd.push(resolve))),
  awaitSignal: ({ signal }) =>
    new Promise((resolve) => waiting.signals.set(signal, [...(waiting.signals.get(signal) ?? []), resolve])),
  awaitFile: async ({ path: file }) => {
    while (!fs.existsSync(fill(file))) await sleep(10);
  },
  trap: ({ signals, steps = [] }) => {
    for (const signal of signals) traps.set(signal, steps);
  },
  onInterrupt: ({ ignore = false, steps }) => {
    onInterrupt = { ignore, steps };
  },
  /** A child; with `setsid` in its own session, with `holdsOutput` it keeps our stdout open. */
  spawn({ command, setsid = false, holdsOutput = false }) {
    const child = spawn(command[0], command.slice(1), {
      detached: setsid,
      stdio: ['ignore', holdsOutput ? 1 : 'ignore', 'ignore'],
    });
    child.on('error', (error) => log('spawn-failed', { error: error.message }));
    if (setsid) child.unref();
    log('spawned', { child: child.pid, command });
  },
  listen: ({ port, host = '127.0.0.1' }) =>
    new Promise((resolve, reject) => {
      const server = net.createServer((socket) => socket.end());
      server.on('error', reject);
      server.listen(port, host, () => {
        log('listening', { port: server.address().port });
        resolve();
      });
    }),
  writeFile: ({ path: file, text }) => {
    fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    fs.writeFileSync(file, fill(text));
  },
  removeFile: ({ path: file }) => fs.rmSync(file, { force: true, recursive: true }),
  /** Writes until the disk is full or so much is written, and says which. */
  fillDisk({ path: file, bytes }) {
    const piece = Buffer.alloc(1_048_576, 'x');
    let written = 0;
    try {
      const descriptor = fs.openSync(file, 'a');
      while (written < bytes) written += fs.writeSync(descriptor, piece);
      log('disk-filled', { written });
    } catch (error) {
      log('disk-full', { written, code: error.code });
    }
  },
  /** Takes memory in pieces and touches it. */
  async allocate({ bytes }) {
    const held = [];
    for (let taken = 0; taken < bytes; taken += 16_777_216) {
      held.push(Buffer.alloc(16_777_216, 1));
      await sleep(1);
    }
    state.held = held;
  },
  log: ({ value }) => log('note', { value: fill(value) }),
  /** What of other processes and files can be read from here. */
  look({ paths }) {
    for (const file of paths) {
      try {
        const { size } = fs.statSync(file);
        log('look', {
          path: file,
          found: fs.statSync(file).isDirectory()
            ? fs.readdirSync(file)
            : fs.readFileSync(file, 'utf8').slice(0, 20_000),
          size,
        });
      } catch (error) {
        log('look', { path: file, error: error.code });
      }
    }
  },
  /** Asks the model's service the way the program does: by the unix socket and token of its environment. */
  callModel: ({ body, headers = {} }) =>
    new Promise((resolve) => {
      const payload = JSON.stringify(fill(body));
      const request = http.request(
        {
          socketPath: process.env.ANTHROPIC_UNIX_SOCKET,
          path: '/v1/messages?beta=true',
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-api-key': process.env.ANTHROPIC_API_KEY ?? '',
            'content-length': Buffer.byteLength(payload),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk) => (text += chunk));
          response.on('close', () => {
            log('model', { status: response.statusCode, text: text.slice(0, 20_000) });
            resolve();
          });
        },
      );
      request.on('error', (error) => {
        log('model', { error: error.code ?? error.message });
        resolve();
      });
      request.end(payload);
    }),
  /** A whole tool call: record, hook, permission, and the result that the decision leads to. */
  async useTool(
    { id, name, input, content = 'ok', isError = false, details, messageId, parent = null, steps = [] },
    turn,
  ) {
    emit({
      type: 'assistant',
      message: {
        id: messageId ?? `msg_${id}`,
        type: 'message',
        role: 'assistant',
        model: state.model,
        content: [{ type: 'tool_use', id, name, input }],
        stop_reason: null,
      },
      parent_tool_use_id: parent,
      session_id: sessionId,
    });
    const refusal = await askHost(id, name, fill(input));
    log('tool-decision', { id, name, refusal });
    if (refusal !== null) return emit(toolResultRecord(id, refusal, true, parent));
    await play(steps, turn);
    if (!turn.over) emit(toolResultRecord(id, content, isError, parent, details));
  },
  async ask({ id, name, input }) {
    const response = await requestHost({
      subtype: 'can_use_tool',
      tool_name: name,
      display_name: name,
      input: fill(input),
      tool_use_id: id,
    });
    log('answer', { id, response });
  },
  async repeat({ times, steps }, turn) {
    for (let i = 0; i < times && !turn.over; i += 1) await play(steps, turn);
  },
};

/** Null when the tool may run, else why not. */
async function askHost(id, name, input) {
  const callback = hooks?.PreToolUse?.[0]?.hookCallbackIds?.[0];
  let decision = 'ask';
  if (callback !== undefined) {
    const response = await requestHost({
      subtype: 'hook_callback',
      callback_id: callback,
      input: {
        hook_event_name: 'PreToolUse',
        session_id: sessionId,
        tool_name: name,
        tool_input: input,
        tool_use_id: id,
      },
      tool_use_id: id,
    });
    const output = response.response?.hookSpecificOutput ?? {};
    if (response.subtype !== 'success') return response.error ?? 'the hook failed';
    if (output.permissionDecision === 'deny') return output.permissionDecisionReason ?? 'denied';
    decision = output.permissionDecision ?? 'allow';
  }
  if (decision === 'allow') return null;
  const response = await requestHost({
    subtype: 'can_use_tool',
    tool_name: name,
    display_name: name,
    input,
    tool_use_id: id,
  });
  if (response.subtype !== 'success') return response.error ?? 'denied';
  return response.response?.behavior === 'allow' ? null : (response.response?.message ?? 'denied');
}

async function play(steps, turn) {
  for (const step of steps) {
    if (turn.over) return;
    const perform = STEPS[step.do];
    if (!perform) throw new Error(`fake-claude knows no step "${step.do}"`);
    await perform(step, turn);
  }
}

function echoSteps() {
  const message = {
    id: '$uuid',
    type: 'message',
    role: 'assistant',
    model: state.model,
    content: [{ type: 'text', text: '$message' }],
    stop_reason: null,
  };
  return [
    { do: 'init' },
    { do: 'emit', record: { type: 'assistant', message, parent_tool_use_id: null, session_id: '$session' } },
    { do: 'result', change: { result: '$message' } },
  ];
}

function stepsFor(message, script, position) {
  // The service may have put its own notes before it.
  const at = message.startsWith(MARKER) ? 0 : message.indexOf(`\n${MARKER}`) + 1;
  if (message.startsWith(MARKER, at)) return JSON.parse(message.slice(at + MARKER.length)).steps;
  const turns = script.turns ?? [];
  return turns[Math.min(position, turns.length - 1)] ?? echoSteps();
}

async function main() {
  const script = readScript();
  log('start', { argv, env: process.env, cwd: process.cwd(), uid: process.getuid?.(), ppid: process.ppid });
  if (script.start) await play(script.start, { over: false });
  readStdin();
  for (let position = 0; ; position += 1) {
    const message = await nextMessage();
    await new Promise((resolve, reject) => {
      current = { over: false, end: resolve };
      play(stepsFor(message, script, position), current).then(resolve, reject);
    });
    current = null;
    if (stdinEnded && messages.length === 0) leave();
  }
}

main().catch((error) => {
  log('failed', { error: error.stack });
  process.stderr.write(`${error.message}\n`);
  process.exit(70);
});
