import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { count, durations, readReport, slowest } from './jest-report.mjs';
import { say } from '../text/progress.mjs';
import { addTo, emptySum } from './sum.mjs';

/**
 * @typedef {'unit' | 'medium' | 'e2e'} Suite
 * @typedef {{ sandbox: string | null, browser: string | null }} Missing Why each of them is not here; null where it is.
 * @typedef {import('../services/runtime.mjs').Runtime} Runtime
 */

const SLOWEST_SHOWN = 8;

/** A test file that says so in a comment has the machine to itself, after all others of its suite. */
const RUNS_ALONE = /^\/\/ Runs alone: /m;

/**
 * Runs one suite and answers how many tests passed, failed and were skipped, and the failed ones by name; a file that
 * does not even load, or whose end fails, is a failure.
 * @param {Suite} suite
 * @param {{ runtime: Runtime, scratch: string, missing: Missing, words: string[] }} options
 */
export async function runJest(suite, { runtime, scratch, missing, words }) {
  const ignored = specsThatCannotRun(suite, runtime.root, missing);
  for (const { file, lack } of ignored) say(`  - skipped, no ${lack} here: ${file}`);
  const left = specsOf(suite, runtime.root).filter((file) => !ignored.some((each) => each.file === file));
  const alone = left.filter((file) => RUNS_ALONE.test(readFileSync(join(runtime.root, file), 'utf8')));
  const together = left.filter((file) => !alone.includes(file));
  const sum = { ...emptySum(), skipped: ignored.length };
  /** @type {import('./jest-report.mjs').Duration[]} */
  const took = [];
  const saysWorkers = words.some((word) => /^(-i|--runInBand|-w|--maxWorkers)(=|$)/.test(word));
  /**
   * @param {string} name
   * @param {string[]} files
   * @param {string[]} others
   * @param {string[]} workers
   */
  const run = async (name, files, others, workers) => {
    if (files.length === 0) return;
    const report = join(scratch, `${name}.json`);
    const unwanted = [...others, ...ignored.map(({ file }) => file)];
    const code = await startJest(suite, {
      runtime,
      report,
      unwanted,
      words: [...(saysWorkers ? [] : workers), ...words],
    });
    const results = readReport(report);
    addTo(sum, count(results, code));
    took.push(...durations(results));
  };
  await run(suite, together, alone, ['--maxWorkers', String(filesAtOnce(suite))]);
  await run(`${suite}-alone`, alone, together, ['--runInBand']);
  if (took.length > SLOWEST_SHOWN) say(`  Slowest: ${slowest(took, SLOWEST_SHOWN).join(', ')}`);
  return sum;
}

/**
 * One for each core; one more of those that wait for other processes about half of their time.
 * @param {Suite} suite
 */
function filesAtOnce(suite) {
  return Math.min(4, availableParallelism() + (suite === 'e2e' ? 1 : 0));
}

/**
 * @param {Suite} suite
 * @param {{ runtime: Runtime, report: string, unwanted: string[], words: string[] }} options
 * @returns {Promise<number | null>}
 */
async function startJest(suite, { runtime, report, unwanted, words }) {
  const args = [
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    suite,
    '--passWithNoTests',
    '--json',
    `--outputFile=${report}`,
    ...(unwanted.length > 0 ? ['--testPathIgnorePatterns', ...unwanted.map(endsLike)] : []),
    ...words,
  ];
  const child = spawn(runtime.node, args, {
    cwd: runtime.root,
    // Jest prints its report for people on standard error; the one for programs goes to the file.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '--no-warnings' },
  });
  const [code] = await once(child, 'exit');
  return code;
}

/** @param {string} file */
function endsLike(file) {
  return `/${file.replaceAll('.', '\\.')}$`;
}

/**
 * The files of a suite that need what this machine has not: whole processes and what names it run turns, the
 * dashboard's tests a browser.
 * @param {Suite} suite
 * @param {string} root
 * @param {Missing} missing
 * @returns {{ file: string, lack: string }[]}
 */
export function specsThatCannotRun(suite, root, missing) {
  return specsOf(suite, root).flatMap((file) => {
    const isWhole = suite === 'e2e';
    if (missing.sandbox && (isWhole || readFileSync(join(root, file), 'utf8').includes('describeAsOrdinaryUser')))
      return [{ file, lack: 'sandbox' }];
    return missing.browser && isWhole && file.startsWith('apps/web/') ? [{ file, lack: 'browser' }] : [];
  });
}

/**
 * @param {Suite} suite
 * @param {string} root
 */
function specsOf(suite, root) {
  const ending = {
    unit: /(?<!\.medium)\.spec\.(ts|mjs)$/,
    medium: /\.medium\.spec\.(ts|mjs)$/,
    e2e: /\.e2e-spec\.(ts|mjs)$/,
  }[suite];
  return ['apps', 'libs', 'launcher', 'scripts']
    .flatMap((group) => filesUnder(join(root, group)).map((name) => join(group, name)))
    .filter((name) => ending.test(name));
}

/** @param {string} directory */
function filesUnder(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => !name.includes('node_modules'));
}
