import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '../host/checkout.mjs';
import { say, step } from '../text/progress.mjs';
import { run, tail } from '../host/run.mjs';
import { addTo, emptySum } from './sum.mjs';

/** @typedef {[program: string, words: string[]]} Command */

/** @type {(...words: string[]) => Command} */
const node = (...words) => [process.execPath, words];
/** @type {(path: string, ...words: string[]) => Command} */
const bin = (path, ...words) => node(join('node_modules', path), ...words);

/** @type {(...words: string[]) => Command} */
const eslint = (...words) => bin('eslint/bin/eslint.js', '--max-warnings', '0', ...words);

/** Linted one by one: the types of all at once do not fit into Node's heap. */
const LINTED_ALONE = ['apps/api', 'apps/terminal', 'apps/web', 'apps/worker'];

/**
 * What is checked without running the product; each counts as one in the sum.
 * @type {{ name: string, commands: Command[] }[]}
 */
export const CHECKS = [
  // Lint reads the graph of projects that nx keeps, so it is made first.
  {
    name: 'Lint',
    commands: [
      bin('nx/dist/bin/nx.js', 'show', 'projects'),
      ...LINTED_ALONE.map((part) => eslint(part)),
      eslint('.', '--ignore-pattern', `{${LINTED_ALONE.join(',')}}/**`),
    ],
  },
  {
    name: 'Format',
    commands: [bin('prettier/bin/prettier.cjs', '--log-level', 'warn', '--check', '**/*.{ts,tsx,mjs,cjs,css,html}')],
  },
  {
    name: 'Types',
    commands: [
      bin('typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'),
      bin('typescript/bin/tsc', '-p', 'apps/web/tsconfig.json', '--noEmit'),
      bin('typescript/bin/tsc', '-p', 'apps/terminal/tsconfig.json', '--noEmit'),
      bin('typescript/bin/tsc', '-p', 'launcher/tsconfig.json', '--noEmit'),
    ],
  },
  { name: 'Unused code', commands: [bin('knip/bin/knip.js')] },
  { name: 'Migrations match the schema', commands: [node('scripts/migrations.mjs', 'check')] },
  { name: 'Generated documents are current', commands: [node('scripts/generate.mjs', '--check')] },
];

/**
 * Runs the checks, two at a time where there are two cores: each takes one.
 * @param {typeof CHECKS} checks
 * @returns {Promise<import('./sum.mjs').Sum>}
 */
export async function runChecks(checks) {
  // Loaded here, because what prepares a checkout runs before anything is installed.
  const { default: pLimit } = await import('p-limit');
  const sum = emptySum();
  const ran = await pLimit(Math.min(2, availableParallelism())).map(checks, runCheck);
  for (const each of ran) addTo(sum, each);
  return sum;
}

/**
 * Runs a check and prints what is wrong; never throws.
 * @param {{ name: string, commands: Command[] }} check
 * @returns {Promise<import('./sum.mjs').Sum>}
 */
async function runCheck({ name, commands }) {
  /** @type {string | null} */
  let wrong = null;
  await step(name, async () => {
    for (const [program, words] of commands) {
      const { code, output } = await run(program, words, {
        cwd: CHECKOUT,
        env: { ...process.env, NX_DAEMON: 'false' },
      });
      if (code === 0) continue;
      wrong = tail(output, 60);
      throw new Error(name);
    }
  }).catch(() => undefined);
  if (wrong !== null) say(wrong);
  return {
    passed: wrong === null ? 1 : 0,
    failed: wrong === null ? 0 : 1,
    skipped: 0,
    failures: wrong === null ? [] : [name],
  };
}
