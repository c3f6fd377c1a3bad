import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { kindOf } from './shape.mjs';

/**
 * @typedef {import('./scenarios.mjs').Scenario} Scenario
 * @typedef {Pick<import('@chirality/scripted-model').ScriptedModel, 'socketPath' | 'cut'>} ScriptedModel
 * @typedef {import('./shape.mjs').ProgramRecord} ProgramRecord
 * @typedef {import('../services/child.mjs').Exit} Exit
 * @typedef {object} Product What the worker starts the program with.
 * @property {typeof import('../../apps/worker/src/harness/claude-code/claude-arguments.ts').claudeArguments} claudeArguments
 * @property {typeof import('../../apps/worker/src/harness/claude-code/claude-environment.ts').claudeEnvironment} claudeEnvironment
 * @property {string} promptFile
 */

const MAX_MS = 60_000;

/**
 * Plays a scenario with the program at `claude` against the model at `model`, with the worker's own arguments and
 * environment, and answers all records that it wrote and how its last process ended. `product` holds those of the
 * worker.
 * @param {Scenario} scenario
 * @param {{ claude: string, model: ScriptedModel, product: Product }} programs
 */
export async function playScenario(scenario, { claude, model, product }) {
  const directory = mkdtempSync(join(tmpdir(), 'fidelity-'));
  try {
    for (const name of ['workspace', 'config', 'home']) mkdirSync(join(directory, name));
    /** @type {ProgramRecord[]} */
    const records = [];
    /** @type {Exit} */
    let exit = { code: null, signal: null };
    let conversation = scenario.resume ?? null;
    for (const life of scenario.lives) {
      exit = await playLife(life, {
        args: argumentsOf(scenario, conversation, product),
        env: environmentOf(directory, model, product),
        directory,
        claude,
        model,
        records,
      });
      conversation = records.findLast(({ subtype }) => subtype === 'init')?.session_id ?? conversation;
    }
    return { records, exit };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * @param {Scenario} scenario
 * @param {string | null} resume
 * @param {Product} product
 */
function argumentsOf({ launch = {}, extra = [] }, resume, { claudeArguments, promptFile }) {
  return [
    ...claudeArguments({
      model: 'sonnet',
      permissionMode: 'default',
      maxTurns: 25,
      tools: 'default',
      disallowedTools: [],
      network: { hosts: [], webSearch: false },
      promptFile,
      resume,
      ...launch,
    }),
    ...extra,
  ];
}

/**
 * @param {string} directory
 * @param {ScriptedModel} model
 * @param {Product} product
 * @returns {NodeJS.ProcessEnv}
 */
function environmentOf(directory, model, { claudeEnvironment }) {
  return {
    ...claudeEnvironment({ gatewayToken: 'token', author: { name: 'Someone', email: 'someone@example.com' } }),
    HOME: join(directory, 'home'),
    TMPDIR: directory,
    CLAUDE_CONFIG_DIR: join(directory, 'config'),
    ...(model.socketPath === null ? {} : { ANTHROPIC_UNIX_SOCKET: model.socketPath }),
    // Fewer than the worker allows: their number is no part of a shape.
    CLAUDE_CODE_MAX_RETRIES: '1',
  };
}

/**
 * One process: its messages one after the other, each after the result of the one before.
 * @param {import('./scenarios.mjs').Life} life
 * @param {{ args: string[], env: NodeJS.ProcessEnv, directory: string, claude: string, model: ScriptedModel, records: ProgramRecord[] }} start
 * @returns {Promise<Exit>}
 */
function playLife({ says, answer = {}, act }, { args, env, directory, claude, model, records }) {
  const child = spawn(claude, args, { cwd: join(directory, 'workspace'), env, stdio: ['pipe', 'pipe', 'ignore'] });
  const send = (/** @type {object} */ record) =>
    child.stdin.writable && child.stdin.write(`${JSON.stringify(record)}\n`);
  const waiting = [...says];
  let acted = false;
  const sayNext = () => {
    const message = waiting.shift();
    if (message === undefined) return child.stdin.end();
    // A command of the program's own is sent as what it is.
    const composed = message.startsWith('/') ? {} : { client_composed: true };
    return send({
      type: 'user',
      message: { role: 'user', content: message.replaceAll('$WORKSPACE', join(directory, 'workspace')) },
      parent_tool_use_id: null,
      session_id: '',
      ...composed,
    });
  };
  const control = (/** @type {object} */ request) =>
    send({ type: 'control_request', request_id: `ours-${records.length}`, request });
  const respond = (/** @type {string | undefined} */ id, /** @type {object} */ response) =>
    send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });

  child.stdin.on('error', () => undefined);
  control({
    subtype: 'initialize',
    hooks: { PreToolUse: [{ hookCallbackIds: ['pre-tool-use'], onFailure: 'block' }] },
  });
  sayNext();
  createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', (line) => {
    const record = read(line);
    records.push(record);
    if (record.type === 'control_request') respond(record.request_id, answerTo(record.request, answer));
    if (record.type === 'result' && record.queued_turn_count === 0) sayNext();
    if (act && !acted && kindOf(record, new Map()).startsWith(act.after)) {
      acted = true;
      if ('signal' in act) child.kill(act.signal);
      else if ('cut' in act) void model.cut(act.cut);
      else control({ subtype: 'interrupt' });
    }
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal });
    });
  });
}

/**
 * @param {ProgramRecord['request']} request
 * @param {import('./scenarios.mjs').Answer} answer
 */
function answerTo(request, { tool = 'allow', person = 'allow', answers }) {
  if (request?.subtype === 'hook_callback') {
    const asks = ['AskUserQuestion', 'ExitPlanMode'].includes(request.input?.tool_name ?? '');
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: asks ? 'ask' : tool,
        permissionDecisionReason: 'as the scenario says',
      },
    };
  }
  if (person === 'deny') return { behavior: 'deny', message: 'Not now.' };
  return { behavior: 'allow', updatedInput: answers ? { ...request?.input, answers } : request?.input };
}

/**
 * @param {string} line
 * @returns {ProgramRecord}
 */
function read(line) {
  try {
    const record = JSON.parse(line);
    return typeof record === 'object' && record !== null ? record : { type: 'not a record' };
  } catch {
    return { type: 'not JSON' };
  }
}
