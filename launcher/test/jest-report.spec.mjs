import { count, durations, readReport, slowest } from './jest-report.mjs';

describe('count', () => {
  /**
   * @param {Partial<import('./jest-report.mjs').Report>} results
   * @param {number | null} code
   */
  function counted(results, code) {
    const none = {
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      numRuntimeErrorTestSuites: 0,
    };
    return count({ ...none, testResults: [], ...results }, code);
  }

  it('names the tests that failed, and a file that failed outside of them', () => {
    /** @type {(name: string, ...tests: [status: string, fullName: string][]) => import('./jest-report.mjs').FileReport} */
    const file = (name, ...tests) => ({
      name: `/checkout/${name}`,
      status: 'failed',
      startTime: 0,
      endTime: 1,
      assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
    });
    const testResults = [file('a.spec.ts', ['failed', 'a turn ends'], ['passed', 'a turn begins']), file('b.spec.ts')];
    expect(
      counted({ numPassedTests: 1, numFailedTests: 1, numTodoTests: 2, numRuntimeErrorTestSuites: 1, testResults }, 1),
    ).toEqual({
      passed: 1,
      failed: 2,
      skipped: 2,
      failures: ['a.spec.ts: a turn ends', 'b.spec.ts'],
    });
  });

  it('takes an end that no test explains, or that left no report, for a failure', () => {
    expect(counted({ numPassedTests: 4 }, 134)).toMatchObject({
      failed: 1,
      failures: ['no test failed, but they ended with 134'],
    });
    expect(count(readReport('/nowhere/report.json'), 0)).toMatchObject({
      failed: 1,
      failures: ['the tests ended without a report'],
    });
    expect(counted({ numPassedTests: 4 }, 0)).toMatchObject({ failed: 0, failures: [] });
  });
});

describe('slowest', () => {
  it('names files and their seconds, of the slowest first', () => {
    /** @type {(name: string, startTime: number, endTime: number) => import('./jest-report.mjs').FileReport} */
    const file = (name, startTime, endTime) => ({
      name: `/checkout/${name}`,
      status: 'passed',
      startTime,
      endTime,
      assertionResults: [],
    });
    const testResults = [
      file('a.medium.spec.ts', 0, 1_400),
      file('b.e2e-spec.ts', 500, 60_700),
      file('c.spec.mjs', 7, 8),
    ];
    expect(slowest(durations({ testResults }), 2)).toEqual(['b 60 s', 'a.medium 1 s']);
    expect(durations(null)).toEqual([]);
  });
});
