import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { count, specsThatCannotRun } from './jest.mjs';

describe('specsThatCannotRun', () => {
  const root = mkdtempSync(join(tmpdir(), 'chi-'));
  const files = {
    'apps/web/e2e/signing-in.e2e-spec.ts': '',
    'apps/worker/e2e/running-a-turn.e2e-spec.ts': '',
    'apps/worker/src/probe.medium.spec.ts': "import { describeAsOrdinaryUser } from '../test/sandbox-host';",
    'apps/api/src/plain.medium.spec.ts': '',
    'apps/worker/src/unit.spec.ts': '',
  };
  beforeAll(() => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));
  const skipped = (missing) =>
    ['unit', 'medium', 'e2e']
      .flatMap((suite) => specsThatCannotRun(suite, root, missing).map(({ file, lack }) => `${lack}: ${file}`))
      .sort();

  it('are none where nothing is missing', () => {
    expect(skipped({ sandbox: null, browser: null })).toEqual([]);
  });

  it('are the dashboard’s without a browser', () => {
    expect(skipped({ sandbox: null, browser: 'none' })).toEqual(['browser: apps/web/e2e/signing-in.e2e-spec.ts']);
  });

  it('are all that run turns without a sandbox', () => {
    expect(skipped({ sandbox: 'none', browser: null })).toEqual([
      'sandbox: apps/web/e2e/signing-in.e2e-spec.ts',
      'sandbox: apps/worker/e2e/running-a-turn.e2e-spec.ts',
      'sandbox: apps/worker/src/probe.medium.spec.ts',
    ]);
  });
});

describe('count', () => {
  const root = mkdtempSync(join(tmpdir(), 'chi-'));
  afterAll(() => rmSync(root, { recursive: true }));

  function counted(results, code) {
    const report = join(root, 'report.json');
    const none = {
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      numRuntimeErrorTestSuites: 0,
    };
    writeFileSync(report, JSON.stringify({ ...none, testResults: [], ...results }));
    return count(report, code, 1);
  }

  it('names the tests that failed, and a file that failed outside of them', () => {
    const file = (name, ...tests) => ({
      name: `/checkout/${name}`,
      status: 'failed',
      assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
    });
    const testResults = [file('a.spec.ts', ['failed', 'a turn ends'], ['passed', 'a turn begins']), file('b.spec.ts')];
    expect(
      counted({ numPassedTests: 1, numFailedTests: 1, numTodoTests: 2, numRuntimeErrorTestSuites: 1, testResults }, 1),
    ).toEqual({
      passed: 1,
      failed: 2,
      skipped: 3,
      failures: ['a.spec.ts: a turn ends', 'b.spec.ts'],
    });
  });

  it('takes an end that no test explains, or that left no report, for a failure', () => {
    expect(counted({ numPassedTests: 4 }, 134)).toMatchObject({
      failed: 1,
      failures: ['no test failed, but they ended with 134'],
    });
    expect(count(join(root, 'none.json'), 0, 0)).toMatchObject({
      failed: 1,
      failures: ['the tests ended without a report'],
    });
    expect(counted({ numPassedTests: 4 }, 0)).toMatchObject({ failed: 0, failures: [] });
  });
});
