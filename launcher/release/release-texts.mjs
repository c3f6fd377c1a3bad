import { Sentence } from '../text/sentence.mjs';

/** Semantic Versioning 2.0 without build metadata, whose `+` cannot stand in the tag of an image. */
const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?$/;
/**
 * @typedef {object} Found What a checkout says before a release.
 * @property {string} current the version in package.json
 * @property {string} branch
 * @property {string} wantedBranch
 * @property {string[]} changes
 * @property {number} behind
 * @property {boolean} isTagged
 * @property {string} changelog
 * @property {string} upgrading
 *
 * @typedef {(text: string, version: string) => string | null} Writer null where the text does not say a version
 */

const UNRELEASED = /^## \[?Unreleased\]?[ \t]*$/m;

/** @param {string} text */
export function isVersion(text) {
  return VERSION.test(text);
}

/**
 * Below zero where `a` precedes `b`, above zero where it follows, else zero.
 * @param {string} a
 * @param {string} b
 */
export function compareVersions(a, b) {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [index, part] of left.numbers.entries()) {
    const difference = part - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

/** @param {string} version */
function partsOf(version) {
  const found = VERSION.exec(version);
  if (found === null) throw new Sentence(`"${version}" is not a version.`);
  const [, major, minor, patch, prerelease] = found;
  return { numbers: [major, minor, patch].map(Number), prerelease };
}

/**
 * @param {string | undefined} a
 * @param {string | undefined} b
 */
function comparePrereleases(a, b) {
  // A release follows its own prereleases.
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [left, right] = [a.split('.'), b.split('.')];
  for (const [index, word] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (word !== other) return compareIdentifiers(word, other);
  }
  return left.length - right.length;
}

/**
 * @param {string} a
 * @param {string} b
 */
function compareIdentifiers(a, b) {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}

/**
 * What stands below the heading "Unreleased", up to the next heading of that level; null where there is no such
 * heading.
 * @param {string} text
 */
export function unreleasedNotes(text) {
  const heading = UNRELEASED.exec(text);
  if (heading === null) return null;
  const below = text.slice(heading.index + heading[0].length);
  const end = below.search(/^## /m);
  return (end === -1 ? below : below.slice(0, end)).trim();
}

/**
 * Whether notes say nothing: headings and comments alone are no notes.
 * @param {string} notes
 */
export function isEmpty(notes) {
  return (
    notes
      .replace(/<!--[^]*?-->/g, '')
      .replace(/^#+ .*$/gm, '')
      .trim() === ''
  );
}

/**
 * Puts what is unreleased below a heading of its release, and an empty "Unreleased" above it.
 * @param {string} text
 * @param {string} heading
 */
export function moveUnreleased(text, heading) {
  return text.replace(UNRELEASED, (unreleased) => `${unreleased.trimEnd()}\n\n## ${heading}`);
}

/**
 * The versions that a changelog has a section for.
 * @param {string} changelog
 */
function releasedVersions(changelog) {
  return [...changelog.matchAll(/^## \[([^\]]+)\]/gm)].map(([, version = '']) => version).filter(isVersion);
}

/**
 * Why this version cannot be released from what is there, one sentence each.
 * @param {string} version
 * @param {Found} found
 * @returns {string[]}
 */
export function objectionsTo(version, found) {
  if (!isVersion(version)) return [`"${version}" is not a version: write X.Y.Z, for example 0.2.0.`];
  return [
    objectionToVersion(version, found),
    found.branch !== found.wantedBranch &&
      `Releases are made on ${found.wantedBranch}; this checkout is on ${found.branch || 'no branch'}.`,
    found.changes.length > 0 && `There are uncommitted changes; commit or remove them: ${firstOf(found.changes)}.`,
    found.behind > 0 && `${found.branch} lacks commits of its upstream (${found.behind}): git pull first.`,
    found.isTagged &&
      `The tag v${version} exists on a commit that ${found.wantedBranch} does not contain: choose another version, or delete the tag.`,
    objectionToNotes('CHANGELOG.md', found.changelog, 'Write what changed for users and operators.'),
    objectionToNotes(
      'docs/upgrading.md',
      found.upgrading,
      'Write what an operator has to do, or that there is nothing to do.',
    ),
  ].filter((each) => typeof each === 'string');
}

/**
 * The version in package.json can be released itself as long as the changelog has no section for it.
 * @param {string} version
 * @param {Found} found
 */
function objectionToVersion(version, { current, changelog }) {
  const released = releasedVersions(changelog);
  if (released.includes(version)) return `CHANGELOG.md has a section for ${version} already: choose a higher version.`;
  const difference = compareVersions(version, current);
  if (difference > 0 || (difference === 0 && !released.includes(current))) return null;
  return `${version} is not higher than the present version, ${current}.`;
}

/**
 * @param {string} path
 * @param {string} text
 * @param {string} advice
 */
function objectionToNotes(path, text, advice) {
  const notes = unreleasedNotes(text);
  if (notes === null) return `${path} has no section "Unreleased".`;
  return isEmpty(notes) ? `${path} has nothing below "Unreleased". ${advice}` : null;
}

/** @param {string[]} paths */
function firstOf(paths, count = 5) {
  return paths.length > count
    ? `${paths.slice(0, count).join(', ')} and ${paths.length - count} more`
    : paths.join(', ');
}

/**
 * The files that hold the version, as the lock file names the workspaces.
 * @param {string} lock
 */
export function versionedPaths(lock) {
  const manifests = Object.keys(JSON.parse(lock).packages)
    .filter(isOwnPackage)
    .map((path) => (path === '' ? 'package.json' : `${path}/package.json`));
  return [...manifests, 'package-lock.json', 'docker-compose.yml', 'docs/openapi.json'];
}

/**
 * The text of one of those files with another version, and nothing else changed.
 * @param {string} path
 * @param {string} text
 * @param {string} version
 */
export function withVersion(path, text, version) {
  const changed = (WRITERS[path] ?? inManifest)(text, version);
  if (changed === null)
    throw new Sentence(
      `${path} does not say the version where it is looked for: see launcher/release/release-texts.mjs.`,
    );
  return changed;
}

/** @type {Record<string, Writer>} */
const WRITERS = { 'package-lock.json': inLock, 'docker-compose.yml': inCompose, 'docs/openapi.json': inOpenApi };

/**
 * As text, because manifests are formatted by hand.
 * @type {Writer}
 */
function inManifest(text, version) {
  const changed = text.replace(/^( {2}"version": ")[^"]*/m, `$1${version}`);
  return JSON.parse(changed).version === version ? changed : null;
}

/** @type {Writer} */
function inLock(text, version) {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const path of Object.keys(lock.packages)) if (isOwnPackage(path)) lock.packages[path].version = version;
  return toJson(lock);
}

/** @type {Writer} */
function inOpenApi(text, version) {
  const description = JSON.parse(text);
  description.info.version = version;
  return toJson(description);
}

/** @type {Writer} */
function inCompose(text, version) {
  const IMAGE = /^(\s*image: chirality-\w+:)\S+$/gm;
  return IMAGE.test(text) ? text.replace(IMAGE, `$1${version}`) : null;
}

/** @param {string} path */
function isOwnPackage(path) {
  return !path.includes('node_modules/');
}

/** @param {unknown} value */
function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
