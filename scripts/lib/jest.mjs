import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { say } from './progress.mjs';

/** Whole processes and a browser at once need all cores, so those suites run one after the other. */
const IN_BAND = new Set(['e2e']);

/**
 * Runs one suite and answers how many tests passed, failed and were skipped, and the failed ones by name; a file that does
 * not even load, or whose end fails, is a failure.
 */
export async function runJest(suite, { runtime, scratch, missing, words }) {
  const report = join(scratch, `${suite}.json`);
  const ignored = specsThatCannotRun(suite, runtime.root, missing);
  for (const { file, lack } of ignored) say(`  - skipped, no ${lack} here: ${file}`);
  const args = [
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    suite,
    ...(IN_BAND.has(suite) ? ['--runInBand'] : ['--maxWorkers', String(Math.min(4, availableParallelism()))]),
    '--passWithNoTests',
    '--json',
    `--outputFile=${report}`,
    ...(ignored.length > 0
      ? ['--testPathIgnorePatterns', ...ignored.map(({ file }) => `${file.replaceAll('.', '\\.')}$`)]
      : []),
    ...words,
  ];
  const child = spawn(runtime.node, args, {
    cwd: runtime.root,
    // Jest prints its report for people on standard error; the one for programs goes to the file.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '--no-warnings' },
  });
  const [code] = await once(child, 'exit');
  return count(report, code, ignored.length);
}

export function count(report, code, ignored) {
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: ignored, failures: ['the tests ended without a report'] };
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = results;
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  const isUnexplained = failed === 0 && code !== 0;
  return {
    passed: numPassedTests,
    failed: isUnexplained ? 1 : failed,
    skipped: numPendingTests + numTodoTests + ignored,
    failures: isUnexplained ? [`no test failed, but they ended with ${code}`] : failuresIn(results),
  };
}

/** Each failed test with its file; the file alone where something failed outside of its tests. */
function failuresIn({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length > 0 ? failed.map(({ fullName }) => `${basename(name)}: ${fullName}`) : [basename(name)];
    });
}

/** The files of a suite that need what this machine has not: whole processes and what names it run turns, the dashboard's tests a browser. */
export function specsThatCannotRun(suite, root, missing) {
  const ending = {
    unit: /(?<!\.medium)\.spec\.(ts|mjs)$/,
    medium: /\.medium\.spec\.(ts|mjs)$/,
    e2e: /\.e2e-spec\.(ts|mjs)$/,
  }[suite];
  const files = ['apps', 'scripts']
    .flatMap((group) => filesUnder(join(root, group)).map((name) => join(group, name)))
    .filter((name) => ending.test(name));
  return files.flatMap((file) => {
    const isWhole = suite === 'e2e';
    if (missing.sandbox && (isWhole || readFileSync(join(root, file), 'utf8').includes('describeAsOrdinaryUser')))
      return [{ file, lack: 'sandbox' }];
    return missing.browser && isWhole && file.startsWith('apps/web/') ? [{ file, lack: 'browser' }] : [];
  });
}

function filesUnder(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => !name.includes('node_modules'));
}
