import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '../host/checkout.mjs';
import { CHECKS, runChecks } from './checks.mjs';
import { becomeIdentity, decideIdentity, yieldToOwner } from '../host/identity.mjs';
import { runJest } from './jest.mjs';
import { prepareCheckout } from '../prepare/prepare.mjs';
import {
  findBubblewrap,
  findChromium,
  findNginx,
  findRedis,
  findSshd,
  programPath,
  requireGit,
} from '../host/programs.mjs';
import { messageOf } from '../text/errors.mjs';
import { say, step } from '../text/progress.mjs';
import { chooseRuntime } from '../services/runtime.mjs';
import { whySandboxFails } from '../host/sandbox-probe.mjs';
import { explain, Sentence } from '../text/sentence.mjs';
import { addTo, emptySum } from './sum.mjs';

/** @type {import('./jest.mjs').Suite[]} */
const SUITES = ['unit', 'medium', 'e2e'];
/**
 * What `--only` says, or null for all.
 * @type {Set<import('./jest.mjs').Suite | null>}
 */
const NEED_BROWSER = new Set([null, 'e2e']);
/** Fetching, refreshing and pushing with OpenSSH's own server. */
const NEED_SSHD = new Set([null, 'medium']);

/**
 * Runs lint, types, generated files and all tests, or with `--only unit|medium|e2e` one suite; other words go to Jest.
 * With `--complete` it fails where a sandbox or a browser is missing, instead of skipping what needs one.
 * The last line is `N passed, N failed, N skipped`; ends this process with 1 when something failed.
 * @param {string[]} words
 */
export async function main(words) {
  try {
    const { only, isComplete, rest } = parse(words);
    const sum = await testAll({ only, isComplete, jestWords: rest });
    // Said last, for readers who see only the end of a long output.
    if (sum.failures.length > 0) say(`\nFailed:\n${sum.failures.map((each) => `  ${each}`).join('\n')}`);
    say(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
    process.exit(sum.failed > 0 ? 1 : 0);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    say('\n0 passed, 1 failed, 0 skipped');
    process.exit(1);
  }
}

/**
 * @param {string[]} words
 * @returns {{ only: import('./jest.mjs').Suite | null, isComplete: boolean, rest: string[] }}
 */
export function parse(words) {
  const isComplete = words.includes('--complete');
  const others = words.filter((word) => word !== '--complete');
  const at = others.indexOf('--only');
  if (at === -1) return { only: null, isComplete, rest: others };
  const only = SUITES.find((suite) => suite === others[at + 1]);
  if (only === undefined) throw new Sentence(`--only takes ${SUITES.join(', ')}.`);
  return { only, isComplete, rest: others.toSpliced(at, 2) };
}

/** @param {{ only: import('./jest.mjs').Suite | null, isComplete: boolean, jestWords: string[] }} options */
async function testAll({ only, isComplete, jestWords }) {
  const sum = emptySum();

  say('Preparing');
  const caller = decideIdentity(CHECKOUT);
  const machine = await step('Redis, git, sandbox, sshd, nginx and browser found', () => findPrograms(only));
  process.env.PATH = programPath();
  const identity = yieldToOwner(caller, CHECKOUT);
  await prepareCheckout();

  if (only === null && jestWords.length === 0) {
    say('\nChecking');
    addTo(sum, await runChecks(CHECKS));
  }

  const runtime = await chooseRuntime(identity);
  if (machine.chromium) process.env.CHIRALITY_CHROMIUM = machine.chromium;
  becomeIdentity(identity, tmpdir());
  const scratch = mkdtempSync(join(tmpdir(), 'chirality-test-'));
  process.env.HOME = scratch;
  const missing = {
    sandbox: await whySandboxFails(identity),
    browser: machine.chromium !== null || !NEED_BROWSER.has(only) ? null : 'no Chromium was found or could be fetched',
  };
  reportMissing(missing, { isComplete });

  for (const suite of only === null ? SUITES : [only]) {
    say(`\nTests: ${suite}`);
    addTo(sum, await runJest(suite, { runtime, scratch, missing, words: jestWords }));
  }
  rmSync(scratch, { recursive: true, force: true });
  return sum;
}

/**
 * Says what this machine lacks; a complete run cannot do without it.
 * @param {import('./jest.mjs').Missing} missing
 * @param {{ isComplete: boolean }} options
 */
export function reportMissing(missing, { isComplete }) {
  for (const [what, why] of Object.entries(missing)) {
    if (!why) continue;
    if (isComplete) throw new Sentence(`No ${what} here: ${why}. With --complete no test may be skipped for that.`);
    say(`  ! No ${what} here: ${why}. Tests that need it are skipped.`);
  }
}

/**
 * @param {import('./jest.mjs').Suite | null} only
 * @returns {Promise<{ chromium: string | null }>}
 */
async function findPrograms(only) {
  if (only === 'unit') return { chromium: null };
  await requireGit();
  await findRedis();
  await findBubblewrap().catch((error) => say(`  ! ${messageOf(error)}`));
  if (NEED_SSHD.has(only) && (await findSshd()) === null)
    say('  ! No sshd here. Its tests are skipped; those with an SSH server of our own run.');
  if (NEED_BROWSER.has(only) && (await findNginx()) === null)
    say('  ! No nginx here. The test of the documented configuration is skipped; those of other proxies run.');
  return { chromium: NEED_BROWSER.has(only) ? await findChromium() : null };
}
