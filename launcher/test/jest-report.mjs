import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * @typedef {object} Report The fields of Jest's report that are read here.
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {FileReport[]} testResults
 * @typedef {{ name: string, status: string, startTime: number, endTime: number, assertionResults: TestReport[] }} FileReport
 * @typedef {{ status: string, fullName: string }} TestReport
 * @typedef {{ name: string, ms: number }} Duration
 */

/**
 * What Jest wrote about its run; null where it ended before it could.
 * @param {string} file
 * @returns {Report | null}
 */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * The sum of a run that ended with `code`. An end that no test explains is a failure.
 * @param {Report | null} results
 * @param {number | null} code
 * @returns {import('./sum.mjs').Sum}
 */
export function count(results, code) {
  if (results === null) return { passed: 0, failed: 1, skipped: 0, failures: ['the tests ended without a report'] };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = results;
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  const isUnexplained = failed === 0 && code !== 0;
  return {
    passed: numPassedTests,
    failed: isUnexplained ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
    failures: isUnexplained ? [`no test failed, but they ended with ${code}`] : failuresIn(results),
  };
}

/**
 * Each failed test with its file; the file alone where something failed outside of its tests.
 * @param {Report} results
 */
function failuresIn({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length > 0 ? failed.map(({ fullName }) => `${basename(name)}: ${fullName}`) : [basename(name)];
    });
}

/**
 * How long each file took, in milliseconds.
 * @param {Pick<Report, 'testResults'> | null} results
 * @returns {Duration[]}
 */
export function durations(results) {
  return (results?.testResults ?? []).map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }));
}

/**
 * The names of the slowest files with their seconds, the slowest first.
 * @param {Duration[]} files
 * @param {number} most
 */
export function slowest(files, most) {
  return files
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, most)
    .map(({ name, ms }) => `${basename(name).replace(/\.(spec|e2e-spec)\.\w+$/, '')} ${Math.round(ms / 1000)} s`);
}
