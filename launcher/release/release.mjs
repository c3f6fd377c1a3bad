import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { CHECKOUT } from '../host/checkout.mjs';
import { takeLock } from '../host/lock.mjs';
import { codeOf } from '../text/errors.mjs';
import { say, step } from '../text/progress.mjs';
import { surfaceOf, surfaceText } from '../protocol/surface.mjs';
import { moveUnreleased, objectionsTo, unreleasedNotes, versionedPaths, withVersion } from './release-texts.mjs';
import { run, tail } from '../host/run.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * @typedef {(words: string[], options?: { input?: string }) => Promise<import('../host/run.mjs').RunResult>} Attempt
 * @typedef {((...words: string[]) => Promise<string>) & { attempt: Attempt }} Git
 * @typedef {{ program: string, words: string[] }} Check
 */

const BRANCH = 'main';
const RELEASED_PROTOCOL = 'docs/released/protocol.json';
const WORKTREE_PREFIX = 'chirality-release-';
const TEST_LIMIT_MS = 4 * 3_600_000;
/** `npm test`, on a machine that can run all of it. */
const ALL_TESTS = { program: process.execPath, words: ['scripts/test.mjs', '--complete'] };

/**
 * Makes the release commit and tests it in a temporary worktree, then tags it and moves the branch to it. A tag
 * therefore proves that its commit passed. Until then neither branch, tags nor files of the checkout change; a death
 * between the two last acts leaves a tag with which the next run says how to continue. Throws a Sentence where it
 * cannot be done.
 * @param {string} version
 * @param {{ checkout?: string, scratch?: string, now?: Date, check?: Check }} [options]
 */
export async function release(
  version,
  { checkout = CHECKOUT, scratch = tmpdir(), now = new Date(), check = ALL_TESTS } = {},
) {
  const git = gitIn(checkout);
  await requireRepository(git);
  const lock = await takeReleaseLock(git, checkout);
  try {
    const base = await requireReleasable(git, checkout, version);
    say(`Release ${version}`);
    const made = await inWorktree(git, { checkout, scratch }, async (place) => {
      const commit = await step('Release commit made, in a temporary worktree', () =>
        commitRelease(place, version, now),
      );
      await test(place, check);
      return commit;
    });
    await step(`v${version} tagged, ${BRANCH} moved to it`, () => publish(git, { ...made, version, base }));
    say('\nNothing was pushed. To publish it: git push --follow-tags');
  } finally {
    lock.release();
  }
}

/**
 * Runs git in a directory and answers what it printed; throws a Sentence with git's words where it fails.
 * @param {string} directory
 * @returns {Git}
 */
function gitIn(directory) {
  /** @type {Attempt} */
  const attempt = (words, options = {}) => run('git', words, { cwd: directory, env: process.env, ...options });
  const git = async (/** @type {string[]} */ ...words) => {
    const { code, output, stdout } = await attempt(words);
    if (code !== 0) throw new Sentence(`git ${words[0]} failed:\n${tail(output)}`);
    // What git warns of stands on the other stream.
    return stdout.trimEnd();
  };
  return Object.assign(git, { attempt });
}

/** @param {Git} git */
async function requireRepository(git) {
  const { code, output, stdout } = await git.attempt(['rev-parse', '--show-cdup']);
  if (code === null) throw new Sentence('git is not installed, or not on PATH.');
  if (code !== 0 || stdout.trim() !== '')
    throw new Sentence(`A release is made in a clone of the repository:\n${tail(output)}`);
}

/**
 * @param {Git} git
 * @param {string} checkout
 */
async function takeReleaseLock(git, checkout) {
  const directory = resolve(checkout, await git('rev-parse', '--git-common-dir'));
  const lock = takeLock(join(directory, 'chirality-release.json'), {}, { foreign: false });
  if (lock.holder) throw new Sentence(`Process ${lock.holder.pid} is making a release here already.`);
  return lock;
}

/**
 * Answers the commit that the release is made on.
 * @param {Git} git
 * @param {string} checkout
 * @param {string} version
 */
async function requireReleasable(git, checkout, version) {
  const read = (/** @type {string} */ path) => readText(join(checkout, path));
  const tagged = await stateOfTag(git, version);
  if (tagged.advice) throw new Sentence(tagged.advice);
  const objections = objectionsTo(version, {
    current: JSON.parse(read('package.json')).version,
    branch: await git('branch', '--show-current'),
    wantedBranch: BRANCH,
    changes: await changesIn(git),
    behind: await commitsBehind(git),
    isTagged: tagged.exists,
    changelog: read('CHANGELOG.md'),
    upgrading: read('docs/upgrading.md'),
  });
  if (objections.length > 0)
    throw new Sentence(`${version} cannot be released:\n${objections.map((each) => `  - ${each}`).join('\n')}`);
  return git('rev-parse', 'HEAD');
}

/**
 * What an earlier run left: nothing, a whole release, or a tag that the branch did not follow because that run died.
 * @param {Git} git
 * @param {string} version
 */
async function stateOfTag(git, version) {
  const tag = `v${version}`;
  const { code, stdout } = await git.attempt(['rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`]);
  if (code !== 0) return { exists: false, advice: null };
  const commit = stdout.trim();
  if ((await git.attempt(['merge-base', '--is-ancestor', commit, `refs/heads/${BRANCH}`])).code === 0)
    return {
      exists: true,
      advice: `${version} is released: ${tag} is commit ${commit.slice(0, 10)}. To publish it: git push --follow-tags`,
    };
  const [subject, parent] = (await git('log', '-1', '--format=%s%n%P', commit)).split('\n');
  const isNext = (await git('branch', '--show-current')) === BRANCH && (await git('rev-parse', 'HEAD')) === parent;
  if (!isNext || subject !== subjectOf(version)) return { exists: true, advice: null };
  const isClean = (await changesIn(git)).length === 0;
  return {
    exists: true,
    advice: [
      `${version} was tested and tagged, but a run ended before ${BRANCH} was moved to ${tag}.`,
      isClean
        ? `To complete it: git merge --ff-only ${tag}`
        : `Files of this checkout differ from the last commit. If git status shows files of the release only, complete it: git reset --hard ${tag}`,
      `To give it up: git tag -d ${tag}${isClean ? '' : ', then restore those files'}`,
    ].join('\n'),
  };
}

/** @param {Git} git */
async function changesIn(git) {
  const lines = await git('status', '--porcelain', '--untracked-files=normal');
  return lines === '' ? [] : lines.split('\n').map((line) => line.slice(3));
}

/**
 * How many commits of the upstream, as it was fetched last, the branch lacks; 0 without an upstream.
 * @param {Git} git
 */
async function commitsBehind(git) {
  const { code, stdout } = await git.attempt(['rev-list', '--count', 'HEAD..@{upstream}']);
  return code === 0 ? Number(stdout) : 0;
}

/**
 * Acts in a checkout of HEAD beside this one, and removes it, also when Ctrl-C ends this process.
 * @template T
 * @param {Git} git
 * @param {{ checkout: string, scratch: string }} places
 * @param {(place: string) => Promise<T>} act
 */
async function inWorktree(git, { checkout, scratch }, act) {
  for (const left of await leftWorktrees(git)) removeWorktree(checkout, left);
  const place = mkdtempSync(join(scratch, WORKTREE_PREFIX));
  // Started by root, tests run as an ordinary user, who would otherwise need a copy of it.
  if (process.getuid?.() === 0) chmodSync(place, 0o755);
  const remove = () => removeWorktree(checkout, place);
  // Deferred, so that run()'s own listener ends the tests first.
  const interrupt = () => setImmediate(() => process.exit(130));
  process.once('exit', remove).on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    await git('worktree', 'add', '--quiet', '--detach', place, 'HEAD');
    return await act(place);
  } finally {
    process.off('exit', remove).off('SIGINT', interrupt).off('SIGTERM', interrupt);
    remove();
  }
}

/**
 * Worktrees of runs that were killed: the lock is ours, so no other run uses them.
 * @param {Git} git
 */
async function leftWorktrees(git) {
  const lines = (await git('worktree', 'list', '--porcelain')).split('\n');
  const paths = lines.filter((line) => line.startsWith('worktree ')).map((line) => line.slice('worktree '.length));
  return paths.filter((path) => basename(path).startsWith(WORKTREE_PREFIX));
}

/**
 * @param {string} checkout
 * @param {string} place
 */
function removeWorktree(checkout, place) {
  spawnSync('git', ['worktree', 'remove', '--force', place], { cwd: checkout, env: process.env, stdio: 'ignore' });
  rmSync(place, { recursive: true, force: true });
}

/**
 * @param {string} place
 * @param {string} version
 * @param {Date} now
 */
async function commitRelease(place, version, now) {
  const git = gitIn(place);
  const read = (/** @type {string} */ path) => readText(join(place, path));
  const changelog = read('CHANGELOG.md');
  /** @type {Record<string, string>} */
  const texts = {
    'CHANGELOG.md': moveUnreleased(changelog, `[${version}] - ${now.toISOString().slice(0, 10)}`),
    'docs/upgrading.md': moveUnreleased(read('docs/upgrading.md'), version),
    ...Object.fromEntries(
      versionedPaths(read('package-lock.json')).map((path) => [path, withVersion(path, read(path), version)]),
    ),
  };
  // What clients of this release rely on: the next ones are compared with it.
  texts[RELEASED_PROTOCOL] = surfaceText(surfaceOf(JSON.parse(texts['docs/openapi.json'] ?? '')));
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(place, path), text);
  await git('add', '--', ...Object.keys(texts));
  await git('commit', '--quiet', '-m', subjectOf(version));
  return { commit: await git('rev-parse', 'HEAD'), notes: unreleasedNotes(changelog) };
}

/**
 * @param {string} place
 * @param {Check} check
 */
async function test(place, { program, words }) {
  say('\nTesting the release commit\n');
  const { code, timedOut } = await run(program, words, {
    cwd: place,
    show: true,
    timeoutMs: TEST_LIMIT_MS,
    env: process.env,
  });
  if (timedOut)
    throw new Sentence(`The tests did not end within ${TEST_LIMIT_MS / 3_600_000} hours. Nothing was released.`);
  if (code !== 0) throw new Sentence('The tests failed. Nothing was released: branch and tags are as they were.');
}

/**
 * @param {Git} git
 * @param {{ version: string, base: string, commit: string, notes: string | null }} made
 */
async function publish(git, { version, base, commit, notes }) {
  const tag = `v${version}`;
  const [branch, head, changes] = [
    await git('branch', '--show-current'),
    await git('rev-parse', 'HEAD'),
    await changesIn(git),
  ];
  if (branch !== BRANCH || head !== base || changes.length > 0)
    throw new Sentence(
      'This checkout was changed while the release was tested. Nothing was released: commit those changes and start again.',
    );
  // Headings of the notes begin with the character of git's comments.
  const tagging = await git.attempt(['tag', '--annotate', '--cleanup=whitespace', '--file=-', tag, commit], {
    input: `Chirality ${version}\n\n${notes}\n`,
  });
  if (tagging.code !== 0)
    throw new Sentence(`Nothing was released, because the tag could not be made:\n${tail(tagging.output)}`);
  const merging = await git.attempt(['merge', '--quiet', '--ff-only', tag]);
  if (merging.code === 0) return;
  await git('tag', '--delete', tag);
  throw new Sentence(
    `Nothing was released, because ${BRANCH} could not be moved to the release commit:\n${tail(merging.output)}`,
  );
}

/** @param {string} version */
function subjectOf(version) {
  return `chore: release ${version}`;
}

/**
 * The text of a file, empty where it is missing.
 * @param {string} path
 */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}
