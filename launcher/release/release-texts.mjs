import { Sentence } from '../text/sentence.mjs';

/** Semantic Versioning 2.0 without build metadata, whose `+` cannot stand in the tag of an image. */
const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?$/;
const UNRELEASED = /^## \[?Unreleased\]?[ \t]*$/m;

export function isVersion(text) {
  return VERSION.test(text);
}

/** Below zero where `a` precedes `b`, above zero where it follows, else zero. */
export function compareVersions(a, b) {
  const [left, right] = [a, b].map((text) => VERSION.exec(text));
  for (const part of [1, 2, 3]) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left[4], right[4]);
}

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

function compareIdentifiers(a, b) {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}

/**
 * What stands below the heading "Unreleased", up to the next heading of that level; null where there is no such
 * heading.
 */
export function unreleasedNotes(text) {
  const heading = UNRELEASED.exec(text);
  if (heading === null) return null;
  const below = text.slice(heading.index + heading[0].length);
  const end = below.search(/^## /m);
  return (end === -1 ? below : below.slice(0, end)).trim();
}

/** Whether notes say nothing: headings and comments alone are no notes. */
export function isEmpty(notes) {
  return (
    notes
      .replace(/<!--[^]*?-->/g, '')
      .replace(/^#+ .*$/gm, '')
      .trim() === ''
  );
}

/** Puts what is unreleased below a heading of its release, and an empty "Unreleased" above it. */
export function moveUnreleased(text, heading) {
  return text.replace(UNRELEASED, (unreleased) => `${unreleased.trimEnd()}\n\n## ${heading}`);
}

/** The versions that a changelog has a section for. */
function releasedVersions(changelog) {
  return [...changelog.matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version).filter(isVersion);
}

/**
 * Why this version cannot be released from what is there, one sentence each.
 * @param {{ current: string, branch: string, wantedBranch: string, changes: string[], behind: number, isTagged:
 * boolean, changelog: string, upgrading: string }} found
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
  ].filter(Boolean);
}

/** The version in package.json can be released itself as long as the changelog has no section for it. */
function objectionToVersion(version, { current, changelog }) {
  const released = releasedVersions(changelog);
  if (released.includes(version)) return `CHANGELOG.md has a section for ${version} already: choose a higher version.`;
  const difference = compareVersions(version, current);
  if (difference > 0 || (difference === 0 && !released.includes(current))) return null;
  return `${version} is not higher than the present version, ${current}.`;
}

function objectionToNotes(path, text, advice) {
  const notes = unreleasedNotes(text);
  if (notes === null) return `${path} has no section "Unreleased".`;
  return isEmpty(notes) ? `${path} has nothing below "Unreleased". ${advice}` : null;
}

function firstOf(paths, count = 5) {
  return paths.length > count
    ? `${paths.slice(0, count).join(', ')} and ${paths.length - count} more`
    : paths.join(', ');
}

/** The files that hold the version, as the lock file names the workspaces. */
export function versionedPaths(lock) {
  const manifests = Object.keys(JSON.parse(lock).packages)
    .filter(isOwnPackage)
    .map((path) => (path === '' ? 'package.json' : `${path}/package.json`));
  return [...manifests, 'package-lock.json', 'docker-compose.yml', 'docs/openapi.json'];
}

/** The text of one of those files with another version, and nothing else changed. */
export function withVersion(path, text, version) {
  const changed = (WRITERS[path] ?? inManifest)(text, version);
  if (changed === null)
    throw new Sentence(
      `${path} does not say the version where it is looked for: see launcher/release/release-texts.mjs.`,
    );
  return changed;
}

const WRITERS = { 'package-lock.json': inLock, 'docker-compose.yml': inCompose, 'docs/openapi.json': inOpenApi };

/** As text, because manifests are formatted by hand. */
function inManifest(text, version) {
  const changed = text.replace(/^( {2}"version": ")[^"]*/m, `$1${version}`);
  return JSON.parse(changed).version === version ? changed : null;
}

function inLock(text, version) {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) if (isOwnPackage(path)) entry.version = version;
  return toJson(lock);
}

function inOpenApi(text, version) {
  const description = JSON.parse(text);
  description.info.version = version;
  return toJson(description);
}

function inCompose(text, version) {
  const IMAGE = /^(\s*image: chirality-\w+:)\S+$/gm;
  return IMAGE.test(text) ? text.replace(IMAGE, `$1${version}`) : null;
}

function isOwnPackage(path) {
  return !path.includes('node_modules/');
}

function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
