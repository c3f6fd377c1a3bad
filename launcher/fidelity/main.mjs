import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '../host/checkout.mjs';
import { codeOf, messageOf } from '../text/errors.mjs';
import { say } from '../text/progress.mjs';
import { Sentence } from '../text/sentence.mjs';
import { compareShapes, gather } from './compare.mjs';
import { playScenario } from './play.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { shapeOf } from './shape.mjs';

const STORED = join(CHECKOUT, 'apps/worker/test/fidelity/shapes.json');
const AT_ONCE = 2;
const require = createRequire(import.meta.url);

/**
 * Records the chosen runs with the installed program and compares their shapes with the stored ones. Answers whether
 * they are the same. `--update` stores what was found, `--claude PATH` takes another program, other words name
 * scenarios.
 * @param {string[]} words
 */
export async function main(words) {
  const { update, other, names } = parse(words);
  const claude = other ?? installedClaude();
  const { runs, refused } = await record(claude, names);
  const found = gather(versionOf(claude), runs);
  // Before anything is stored: what the gateway refuses would fail every turn.
  for (const line of refused) say(line);
  if (refused.length > 0) return false;
  if (update) {
    writeFileSync(STORED, `${JSON.stringify(found, null, 1)}\n`);
    say(`Stored the shapes of ${names.length} runs with Claude Code ${found.version}.`);
    return true;
  }
  if (!existsSync(STORED))
    throw new Sentence('No shapes are stored yet: npm run fidelity -- --update stores those of the installed program.');
  const stored = JSON.parse(readFileSync(STORED, 'utf8'));
  const differences = compareShapes(stored, found, { partial: names.length < Object.keys(SCENARIOS).length });
  say(
    `Claude Code ${found.version} against the stored ${stored.version}, ${names.length} runs: ${differences.length === 0 ? 'every shape is the same.' : 'shapes differ.'}`,
  );
  for (const line of differences) say(line);
  if (differences.length > 0)
    say(
      '\nRead what the worker makes of these (apps/worker/src/harness/claude-code), then accept them with npm run fidelity -- --update.',
    );
  return differences.length === 0;
}

/** @param {string[]} words */
function parse(words) {
  const at = words.indexOf('--claude');
  const other = at === -1 ? null : words[at + 1];
  if (other === undefined) throw new Sentence('--claude takes the path of a program.');
  const rest = words.filter((word, index) => word !== '--update' && (at === -1 || (index !== at && index !== at + 1)));
  const unknown = rest.filter((name) => !(name in SCENARIOS));
  if (unknown.length > 0)
    throw new Sentence(`There is no scenario ${unknown.join(', ')}. There are: ${Object.keys(SCENARIOS).join(', ')}.`);
  if (words.includes('--update') && rest.length > 0)
    throw new Sentence('--update stores all scenarios at once; name none.');
  return { update: words.includes('--update'), other, names: rest.length > 0 ? rest : Object.keys(SCENARIOS) };
}

/**
 * @param {string} claude
 * @param {string[]} names
 */
async function record(claude, names) {
  /** @type {typeof import('@chirality/scripted-model')} */
  const { startScriptedModel } = built('libs/scripted-model/dist/index.js');
  /** @type {typeof import('../../apps/worker/src/harness/claude-code/claude-arguments.ts')} */
  const { claudeArguments } = built('apps/worker/dist/harness/claude-code/claude-arguments.js');
  /** @type {typeof import('../../apps/worker/src/harness/claude-code/claude-environment.ts')} */
  const { claudeEnvironment } = built('apps/worker/dist/harness/claude-code/claude-environment.js');
  const directory = mkdtempSync(join(tmpdir(), 'fidelity-model-'));
  const promptFile = join(directory, 'prompt.md');
  writeFileSync(promptFile, 'You are being looked at.\n');
  const model = await startScriptedModel({ listen: { socketPath: join(directory, 'model.sock') }, directives: true });
  try {
    /** @type {import('./compare.mjs').Run[]} */
    const runs = new Array(names.length);
    const waiting = [...names.entries()];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, name] = next;
        const scenario = SCENARIOS[name];
        if (scenario === undefined) continue;
        const { records, exit } = await playScenario(scenario, {
          claude,
          model,
          product: { claudeArguments, claudeEnvironment, promptFile },
        });
        runs[index] = { name, exit, shape: shapeOf(records) };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { runs, refused: refusedRequests(model.requests()) };
  } finally {
    await model.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * What the worker's model gateway would keep back of what the program sent, each once.
 * @param {readonly import('@chirality/scripted-model').RecordedRequest[]} requests
 */
function refusedRequests(requests) {
  /** @type {typeof import('../../apps/worker/src/gateway/check/index.ts')} */
  const { checkRequest } = built('apps/worker/dist/gateway/check/index.js');
  const lines = new Set();
  for (const { method, path, headers, body } of requests) {
    try {
      if (method !== 'POST' || !/^\/v1\/messages(\/count_tokens)?(\?beta=true)?$/.test(path))
        throw new Error(`The model gateway does not serve ${method} ${path}.`);
      checkRequest(headers, Buffer.from(JSON.stringify(body)), { model: 'sonnet', webSearch: false });
    } catch (error) {
      lines.add(messageOf(error));
    }
  }
  return [...lines];
}

/** @param {string} path */
function built(path) {
  try {
    return require(join(CHECKOUT, path));
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') throw new Sentence(`${path} is not there: npm run build makes it.`);
    throw error;
  }
}

function installedClaude() {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  try {
    return createRequire(join(CHECKOUT, 'package.json')).resolve(`${name}/claude`);
  } catch {
    throw new Sentence(`The package ${name} is not installed. Run npm install, or name a program with --claude.`);
  }
}

/** @param {string} claude */
function versionOf(claude) {
  return /\d+\.\d+\.\d+[\w.+-]*/.exec(execFileSync(claude, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'unknown';
}
