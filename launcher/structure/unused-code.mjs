import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CHECKOUT } from '../host/checkout.mjs';

/**
 * @typedef {{ name: string }} Named
 * @typedef {{ files: string[], issues: ({ file: string } & Record<string, unknown>)[] }} Report What knip writes as JSON.
 */

const EXPORTS = new Set(['exports', 'nsExports', 'types', 'nsTypes', 'enumMembers', 'classMembers', 'duplicates']);

/** What no entry of knip.jsonc reaches: exports, and files and dependencies. Takes about 20 seconds. */
export function unusedCode() {
  const program = join(CHECKOUT, 'node_modules/knip/bin/knip.js');
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [program, '--reporter', 'json', '--no-exit-code'],
    { cwd: CHECKOUT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(`knip failed: ${error?.message ?? stderr.trim()}`);
  return unusedIn(JSON.parse(stdout));
}

/**
 * The lines of such a report, each with its file.
 * @param {Report} report
 */
export function unusedIn({ files, issues }) {
  const found = issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, items]) =>
      namesIn(items).map((name) => ({ isExport: EXPORTS.has(kind), line: `${file}: ${name}` })),
    ),
  );
  const lines = (/** @type {boolean} */ isExport) =>
    found.filter((each) => each.isExport === isExport).map(({ line }) => line);
  return { exports: lines(true), filesAndDependencies: [...files, ...lines(false)] };
}

/**
 * Names stand in a list, the names of one export in a nested one, and members below the name of what has them.
 * @param {unknown} items
 * @returns {string[]}
 */
function namesIn(items) {
  if (Array.isArray(items)) return items.flatMap((item) => (isNamed(item) ? [item.name] : namesIn(item).join(' = ')));
  if (typeof items !== 'object' || items === null) return [];
  return Object.entries(items).flatMap(([parent, members]) => namesIn(members).map((name) => `${parent}.${name}`));
}

/**
 * @param {unknown} item
 * @returns {item is Named}
 */
function isNamed(item) {
  return typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string';
}
