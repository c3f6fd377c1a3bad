import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { specsThatCannotRun } from './jest.mjs';

describe('specsThatCannotRun', () => {
  const root = mkdtempSync(join(tmpdir(), 'chi-'));
  const files = {
    'apps/web/e2e/sign-in.e2e-spec.ts': '',
    'apps/worker/e2e/turn-run.e2e-spec.ts': '',
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
  /** @type {import('./jest.mjs').Suite[]} */
  const suites = ['unit', 'medium', 'e2e'];
  const skipped = (/** @type {import('./jest.mjs').Missing} */ missing) =>
    suites
      .flatMap((suite) => specsThatCannotRun(suite, root, missing).map(({ file, lack }) => `${lack}: ${file}`))
      .sort();

  it('are none where nothing is missing', () => {
    expect(skipped({ sandbox: null, browser: null })).toEqual([]);
  });

  it('are the dashboard’s without a browser', () => {
    expect(skipped({ sandbox: null, browser: 'none' })).toEqual(['browser: apps/web/e2e/sign-in.e2e-spec.ts']);
  });

  it('are all that run turns without a sandbox', () => {
    expect(skipped({ sandbox: 'none', browser: null })).toEqual([
      'sandbox: apps/web/e2e/sign-in.e2e-spec.ts',
      'sandbox: apps/worker/e2e/turn-run.e2e-spec.ts',
      'sandbox: apps/worker/src/probe.medium.spec.ts',
    ]);
  });
});
