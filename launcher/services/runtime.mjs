import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKOUT, hashOf } from '../host/checkout.mjs';
import { firstOutOfReach } from '../host/identity.mjs';
import { ownPlace } from '../host/places.mjs';
import { postgresPrograms } from './postgres.mjs';
import { step } from '../text/progress.mjs';
import { run, tail } from '../host/run.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * @typedef {{ root: string, node: string, isCopy: boolean }} Runtime Where the service runs from, and by which Node.
 * @typedef {import('../host/identity.mjs').Identity} Identity
 * @typedef {import('../host/identity.mjs').Owner} Owner
 */

/** @typedef {'-al' | '-a'} CopyFlags Those of `cp`: as hard links where that can be, or as real copies. */

/** Not copied: history, caches, data, and secrets that only this script reads. */
const LEFT_BEHIND = new Set(['.git', '.nx', '.chirality', '.env', 'coverage']);

/**
 * Where the service runs from: the checkout, or a copy of it where the serving id cannot reach it.
 * @param {Identity} identity
 * @returns {Promise<Runtime>}
 */
export async function chooseRuntime(identity) {
  const place = { root: CHECKOUT, node: process.execPath, isCopy: false };
  if (!identity.foreign || firstOutOfReach(identity, needsOf(place)) === null) return place;
  const copy = { root: join(ownPlace(), 'app'), node: reachableNode(identity), isCopy: true };
  await step(
    `Copied to ${copy.root}: user id ${identity.uid}, which runs it because root must not, cannot reach ${CHECKOUT}`,
    () => copyWithinReach(copy, identity),
  );
  proveReach(copy, identity);
  return copy;
}

/**
 * @param {Runtime} copy
 * @param {Owner & { foreign: true }} identity
 */
async function copyWithinReach(copy, identity) {
  await refreshCopy(copy.root, '-al');
  if (firstOutOfReach(identity, needsOf(copy)) === null && !(await hasUnreadableFiles(copy.root, identity))) return;
  // Links share the checkout's modes; a copy has its own, which can be opened.
  rmSync(copy.root, { recursive: true, force: true });
  await refreshCopy(copy.root, '-a');
  await run('chmod', ['-R', 'a+rX', copy.root]);
}

/**
 * Throws a Sentence that names the first thing the serving id cannot use.
 * @param {Runtime} place
 * @param {Identity} identity
 */
export function proveReach(place, identity) {
  const missing = firstOutOfReach(identity, needsOf(place));
  if (missing === null) return;
  throw new Sentence(
    `User id ${identity.uid}, which runs the service because root must not, cannot use ${missing}: make it and the directories above it readable for others, or start Chirality as an ordinary user.`,
  );
}

/**
 * @param {Runtime} place
 * @returns {import('../host/identity.mjs').Need[]}
 */
function needsOf({ root, node }) {
  const postgres = postgresPrograms(root);
  /** @type {import('../host/identity.mjs').Need[]} */
  const needs = [
    ['x', node],
    ['x', root],
    ['r', join(root, 'package.json')],
    ['w', '/tmp'],
  ];
  if (existsSync(join(CHECKOUT, 'node_modules'))) needs.push(['r', join(root, 'node_modules', 'pg', 'package.json')]);
  if (existsSync(join(CHECKOUT, 'libs/database/dist'))) needs.push(['r', join(root, 'libs/database/dist/index.js')]);
  if (existsSync(postgresPrograms(CHECKOUT)))
    needs.push(['x', join(postgres, 'postgres')], ['x', join(postgres, 'initdb')]);
  return needs;
}

/**
 * @param {string} target
 * @param {CopyFlags} flags
 */
async function refreshCopy(target, flags) {
  const stamps = join(dirname(target), 'copied');
  const dependencies = hashOf(['package-lock.json']);
  const parts = readdirSync(CHECKOUT).filter((name) => !LEFT_BEHIND.has(name));
  const isFresh = readText(stamps) === dependencies && existsSync(join(target, 'node_modules'));
  mkdirSync(target, { recursive: true, mode: 0o755 });
  for (const directory of [dirname(dirname(target)), dirname(target), target]) chmodSync(directory, 0o755);
  rmSync(stamps, { force: true });
  for (const part of parts) if (part !== 'node_modules' || !isFresh) await copyPart(part, target, flags);
  for (const gone of readdirSync(target).filter((name) => !parts.includes(name)))
    rmSync(join(target, gone), { recursive: true, force: true });
  writeFileSync(stamps, dependencies);
}

/**
 * @param {string} part
 * @param {string} target
 * @param {CopyFlags} flags
 */
async function copyPart(part, target, flags) {
  const aside = join(target, `.${part}.new`);
  rmSync(aside, { recursive: true, force: true });
  let result = await run('cp', [flags, join(CHECKOUT, part), aside]);
  if (result.code !== 0 && flags === '-al') {
    // Another file system, or one without hard links.
    rmSync(aside, { recursive: true, force: true });
    result = await run('cp', ['-a', join(CHECKOUT, part), aside]);
  }
  if (result.code !== 0)
    throw new Sentence(
      `${part} could not be copied to ${target}, where the service has to run from:\n${tail(result.output, 4)}`,
    );
  rmSync(join(target, part), { recursive: true, force: true });
  renameSync(aside, join(target, part));
}

/**
 * @param {string} root
 * @param {{ uid: number, gid: number }} ids
 */
async function hasUnreadableFiles(root, { uid, gid }) {
  const { code, output } = await run('find', [root, '!', '-type', 'l', '!', '-readable', '-print', '-quit'], {
    uid,
    gid,
    cwd: '/',
  });
  return code !== 0 || output !== '';
}

/**
 * This very Node, or a copy of it where the serving id cannot reach it (a version manager in root's home).
 * @param {Owner} identity
 */
function reachableNode(identity) {
  if (firstOutOfReach(identity, [['x', process.execPath]]) === null) return process.execPath;
  const copy = join(ownPlace(), 'bin', 'node');
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  copyFileSync(process.execPath, `${copy}.new`);
  chmodSync(`${copy}.new`, 0o755);
  renameSync(`${copy}.new`, copy);
  return copy;
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
