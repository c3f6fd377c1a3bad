import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CHECKOUT } from '../host/checkout.mjs';
import { requireFreeSpace } from '../host/disk.mjs';
import { run, tail } from '../host/run.mjs';
import { Sentence } from '../text/sentence.mjs';

/** @typedef {{ version?: string, link?: boolean, resolved?: string, optional?: boolean }} LockedPackage */

const ONE_TRY_MS = 600_000;

/** Makes node_modules what package-lock.json says. An install that hangs or breaks is tried once more. */
export async function installDependencies() {
  linkProjects();
  if (isInstalled()) return 'unchanged';
  requireFreeSpace(CHECKOUT, 1500, 'installing');
  const first = await npm('ci');
  if (first.code === 0) return 'done';
  const second = await npm('ci');
  if (second.code === 0) return 'done';
  const why = second.timedOut ? `npm ci did not end within ${ONE_TRY_MS / 60_000} minutes` : 'npm ci failed';
  throw new Sentence(`The dependencies could not be installed: ${why}, twice. Its last words:\n${tail(second.output)}`);
}

/**
 * The npm that runs this script where there is one, else the one on PATH.
 * @param {string[]} words
 */
function npm(...words) {
  const cli = process.env.npm_execpath;
  const options = { cwd: CHECKOUT, timeoutMs: ONE_TRY_MS, env: { ...process.env, NODE_ENV: 'development' } };
  return cli?.endsWith('npm-cli.js') ? run(process.execPath, [cli, ...words], options) : run('npm', words, options);
}

/** A project that is new here needs its link and no install. */
function linkProjects() {
  if (!existsSync(join(CHECKOUT, 'node_modules'))) return;
  for (const [path, { link, resolved }] of Object.entries(packagesOf('package-lock.json') ?? {})) {
    const place = join(CHECKOUT, path);
    if (link !== true || resolved === undefined || existsSync(place)) continue;
    mkdirSync(dirname(place), { recursive: true });
    try {
      symlinkSync(relative(dirname(place), join(CHECKOUT, resolved)), place);
    } catch {
      // A link that leads nowhere: npm replaces it, below.
    }
  }
}

/** npm writes what it installed last of all, so that this also sees an install that was broken off. */
export function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (wanted === null || present === null) return false;
  const same = Object.entries(present).every(
    ([path, entry]) => wanted[path]?.version === entry.version && wanted[path]?.link === entry.link,
  );
  return (
    same &&
    Object.entries(wanted).every(
      ([path, entry]) =>
        path in present ||
        path === '' ||
        entry.optional === true ||
        !path.includes('node_modules/') ||
        (entry.link === true && existsSync(join(CHECKOUT, path))),
    )
  );
}

/**
 * @param {string} lock
 * @returns {Record<string, LockedPackage> | null}
 */
function packagesOf(lock) {
  try {
    return JSON.parse(readFileSync(join(CHECKOUT, lock), 'utf8')).packages;
  } catch {
    return null;
  }
}
