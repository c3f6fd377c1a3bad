import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { release } from '../launcher/release/release.mjs';
import { makeProductRepository } from './testing/product-repository.mjs';

/** @typedef {import('../launcher/release/release.mjs').Check} Check */

const NOW = new Date('2027-01-02T03:04:05Z');
const LIBRARY = pathToFileURL(join(__dirname, '../launcher/release/release.mjs')).href;

describe('npm run release', () => {
  /** @type {ReturnType<typeof makeProductRepository>} */
  let repository;
  /** @type {jest.SpyInstance<boolean>} */
  let printed;
  beforeEach(() => {
    repository = makeProductRepository();
    printed = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  });
  afterEach(() => {
    printed.mockRestore();
    repository.remove();
  });

  /** @type {(script: string) => Check} */
  const shell = (script) => ({ program: '/bin/sh', words: ['-c', script] });
  /**
   * @param {string} version
   * @param {Check} [check]
   */
  const make = (version, check = shell('true')) =>
    release(version, { checkout: repository.directory, scratch: repository.home, now: NOW, check });
  /**
   * @param {string} version
   * @param {Check} [check]
   * @returns {Promise<string>}
   */
  const refusal = (version, check) =>
    make(version, check).then(
      () => 'released',
      (error) => `${error.name}: ${error.message}`,
    );
  /**
   * Node's words for a release in another process.
   * @param {string} version
   * @param {Check} [check]
   */
  const script = (version, check = shell('true')) => {
    const options = JSON.stringify({ checkout: repository.directory, scratch: repository.home, check });
    return [
      '--input-type=module',
      '-e',
      `import { release } from '${LIBRARY}'; await release('${version}', ${options}).catch((error) => console.log(error.message));`,
    ];
  };
  const worktrees = () => readdirSync(repository.home).filter((name) => name.startsWith('chirality-release-'));

  it('commits, tags and pushes nothing; the branch follows', async () => {
    await make('0.2.0');
    const { git, read } = repository;
    expect(git('log', '--format=%s')).toBe('chore: release 0.2.0\nfeat: teams');
    expect(git('cat-file', '-t', 'v0.2.0')).toBe('tag');
    expect(git('for-each-ref', '--format=%(contents)', 'refs/tags/v0.2.0')).toBe(
      'Chirality 0.2.0\n\n### Added\n\n- Teams.',
    );
    expect([
      git('rev-parse', 'v0.2.0^{commit}'),
      git('status', '--porcelain'),
      git('branch', '--show-current'),
    ]).toEqual([git('rev-parse', 'HEAD'), '', 'main']);
    expect(read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-02\n\n### Added\n\n- Teams.\n',
    );
    expect(read('docs/upgrading.md')).toBe(
      '# Upgrading\n\nBack up first.\n\n## Unreleased\n\n## 0.2.0\n\nThere is nothing to do.\n',
    );
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(worktrees()).toEqual([]);
    expect(existsSync(join(repository.directory, '.git/chirality-release.json'))).toBe(false);
    expect(printed.mock.calls.flat().join('')).toContain('Nothing was pushed. To publish it: git push --follow-tags');
  });

  it('writes the version to every file that has it, and changes nothing else', async () => {
    await make('0.2.0');
    const linesWith = (/** @type {string} */ sign) =>
      repository
        .git('show', '--format=', '--unified=0', '--', ':!CHANGELOG.md', ':!docs/upgrading.md')
        .split('\n')
        .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
        .map((line) => line.slice(1));
    const [removed, added] = [linesWith('-'), linesWith('+')];
    expect(removed).toHaveLength(11);
    expect(added).toEqual(removed.map((line) => line.replace('0.1.0', '0.2.0')));
    expect(repository.read('package.json')).toContain('"zod": "0.1.0"');
  });

  it('tests the commit that it tags, from a checkout without anything that is not committed', async () => {
    repository.write('node_modules/ignored.js', '');
    const seen = join(repository.home, 'seen');
    await make(
      '0.2.0',
      shell(`{ git rev-parse HEAD; git status --porcelain; ls -d node_modules 2>/dev/null; pwd; } > ${seen}`),
    );
    const [commit, place, ...rest] = readFileSync(seen, 'utf8').trimEnd().split('\n');
    expect([commit, rest]).toEqual([repository.git('rev-parse', 'v0.2.0^{commit}'), []]);
    expect(place).not.toBe(repository.directory);
  });

  it('releases the version that package.json has, as long as it was not released', async () => {
    await make('0.1.0');
    expect(repository.git('show', '--format=%s', '--name-only').split('\n')).toEqual([
      'chore: release 0.1.0',
      '',
      'CHANGELOG.md',
      'docs/upgrading.md',
    ]);
    repository.write(
      'CHANGELOG.md',
      repository.read('CHANGELOG.md').replace('## [Unreleased]', '## [Unreleased]\n\n- Personas.'),
    );
    repository.write(
      'docs/upgrading.md',
      repository.read('docs/upgrading.md').replace('## Unreleased', '## Unreleased\n\nNothing.'),
    );
    repository.git('commit', '--quiet', '--all', '-m', 'feat: personas');
    await make('0.1.1-rc.1');
    await expect(refusal('0.1.1-beta')).resolves.toContain(
      '0.1.1-beta is not higher than the present version, 0.1.1-rc.1',
    );
  });

  const commit = () => repository.git('commit', '--quiet', '--all', '-m', 'docs: notes');
  /** @type {Record<string, { prepare: () => void, words: string }>} */
  const REFUSALS = {
    'a changed file': {
      prepare: () => repository.write('package.json', repository.read('package.json') + '\n'),
      words: 'uncommitted changes; commit or remove them: package.json',
    },
    'a file that is not added': {
      prepare: () => repository.write('apps/api/new.ts', ''),
      words: 'uncommitted changes; commit or remove them: apps/api/new.ts',
    },
    'another branch': {
      prepare: () => repository.git('switch', '--quiet', '-c', 'topic'),
      words: 'Releases are made on main; this checkout is on topic.',
    },
    'an empty changelog': {
      prepare: () => (repository.write('CHANGELOG.md', '## [Unreleased]\n\n### Added\n<!-- none -->\n'), commit()),
      words: 'CHANGELOG.md has nothing below "Unreleased"',
    },
    'no upgrade note': {
      prepare: () => (repository.write('docs/upgrading.md', '## Unreleased\n\n## 0.1.0\n\nOld.\n'), commit()),
      words: 'docs/upgrading.md has nothing below "Unreleased"',
    },
    'no file of upgrade notes': {
      prepare: () => (repository.git('rm', '--quiet', 'docs/upgrading.md'), commit()),
      words: 'docs/upgrading.md has no section "Unreleased"',
    },
    'a tag elsewhere': {
      prepare: () => {
        repository.git('switch', '--quiet', '-c', 'topic');
        repository.git('commit', '--quiet', '--allow-empty', '-m', 'feat: elsewhere');
        repository.git('tag', 'v0.2.0');
        repository.git('switch', '--quiet', 'main');
      },
      words: 'The tag v0.2.0 exists on a commit that main does not contain',
    },
    'an upstream that is ahead': {
      prepare: () => {
        repository.git('clone', '--quiet', '--bare', '.', '../upstream');
        repository.git('commit', '--quiet', '--allow-empty', '-m', 'feat: theirs');
        repository.git('remote', 'add', 'origin', '../upstream');
        repository.git('push', '--quiet', '--set-upstream', 'origin', 'main');
        repository.git('reset', '--quiet', '--hard', 'HEAD~1');
      },
      words: 'main lacks commits of its upstream (1): git pull first.',
    },
  };
  it.each(Object.keys(REFUSALS))('refuses %s, and tests nothing', async (name) => {
    const { prepare, words } = REFUSALS[name] ?? { prepare: () => undefined, words: name };
    prepare();
    const before = repository.state();
    const ran = join(repository.home, 'ran');
    await expect(refusal('0.2.0', shell(`touch ${ran}`))).resolves.toMatch(
      new RegExp(`^Sentence: 0\\.2\\.0 cannot be released:\n.*${words.replace(/[.()]/g, '\\$&')}`, 's'),
    );
    expect([repository.state(), existsSync(ran)]).toEqual([before, false]);
  });

  it('refuses what is no version, and what is not higher than the present one', async () => {
    const before = repository.state();
    for (const version of ['0.2', 'v0.2.0', '0.2.0+build', '--help'])
      await expect(refusal(version)).resolves.toContain(`"${version}" is not a version: write X.Y.Z`);
    await expect(refusal('0.0.9')).resolves.toContain('0.0.9 is not higher than the present version, 0.1.0.');
    expect(repository.state()).toEqual(before);
  });

  it('says all that stands in the way at once', async () => {
    repository.git('checkout', '--quiet', '--detach');
    repository.write('CHANGELOG.md', '# Changelog\n');
    await expect(refusal('0.0.1')).resolves.toBe(
      'Sentence: 0.0.1 cannot be released:\n' +
        '  - 0.0.1 is not higher than the present version, 0.1.0.\n' +
        '  - Releases are made on main; this checkout is on no branch.\n' +
        '  - There are uncommitted changes; commit or remove them: CHANGELOG.md.\n' +
        '  - CHANGELOG.md has no section "Unreleased".',
    );
  });

  it('changes nothing where the tests fail, and where there is no one to commit as', async () => {
    const before = repository.state();
    await expect(refusal('0.2.0', shell('echo broken; exit 1'))).resolves.toBe(
      'Sentence: The tests failed. Nothing was released: branch and tags are as they were.',
    );
    expect(printed.mock.calls.flat().join('')).toContain('broken');
    writeFileSync(join(repository.home, 'gitconfig'), '[user]\n  useConfigOnly = true\n');
    await expect(refusal('0.2.0')).resolves.toMatch(/^Sentence: git commit failed:\n/);
    expect([repository.state(), worktrees()]).toEqual([before, []]);
  });

  it('tags nothing where the checkout was changed during the tests', async () => {
    /** @type {(script: string) => Check} */
    const inCheckout = (script) => shell(`cd ${repository.directory} && ${script}`);
    for (const script of ['git commit --quiet --allow-empty -m later', 'echo >> CHANGELOG.md']) {
      await expect(refusal('0.2.0', inCheckout(script))).resolves.toContain(
        'This checkout was changed while the release was tested.',
      );
    }
    expect([repository.git('tag'), repository.git('log', '--format=%s')]).toEqual(['', 'later\nfeat: teams']);
  });

  it('takes the tag back where the branch cannot follow', async () => {
    const before = repository.state();
    const hook = join(repository.directory, '.git/hooks/reference-transaction');
    writeFileSync(hook, '#!/bin/sh\ngrep -q refs/tags/ && [ "$1" = committed ] && touch .git/index.lock; true\n', {
      mode: 0o755,
    });
    await expect(refusal('0.2.0')).resolves.toMatch(
      /^Sentence: Nothing was released, because main could not be moved to the release commit:\n.*index\.lock/s,
    );
    expect(repository.state()).toEqual(before);
  });

  it('leaves all as it was when it is killed during the tests, and cleans up in its next run', async () => {
    const refsAndFiles = () => repository.state().slice(0, 3);
    const before = refsAndFiles();
    const { signal } = spawnSync(process.execPath, script('0.2.0', shell('kill -KILL $PPID')), { env: process.env });
    expect([signal, refsAndFiles(), worktrees().length]).toEqual(['SIGKILL', before, 1]);
    await make('0.2.0');
    expect([repository.git('tag'), worktrees()]).toEqual(['v0.2.0', []]);
  });

  it.each(['INT', 'TERM'])('leaves nothing behind when SIG%s ends it during the tests', (signal) => {
    const before = repository.state();
    const { status } = spawnSync(
      process.execPath,
      script('0.2.0', shell(`kill -${signal} $PPID; while kill -0 $PPID 2>/dev/null; do :; done`)),
      {
        env: process.env,
      },
    );
    expect([status, repository.state(), worktrees()]).toEqual([130, before, []]);
  });

  it('says how to complete or give up what a run left that died between tag and branch', async () => {
    const { git } = repository;
    await make('0.2.0');
    git('reset', '--quiet', '--hard', 'HEAD~1');
    const advice = await refusal('0.2.0');
    expect(advice).toContain(
      '0.2.0 was tested and tagged, but a run ended before main was moved to v0.2.0.\nTo complete it: git merge --ff-only v0.2.0\nTo give it up: git tag -d v0.2.0',
    );
    git('commit', '--quiet', '--allow-empty', '-m', 'feat: something else');
    await expect(refusal('0.2.0')).resolves.toContain('The tag v0.2.0 exists on a commit that main does not contain');
    git('reset', '--quiet', '--hard', 'HEAD~1');
    git('read-tree', '-m', '-u', 'HEAD', 'v0.2.0');
    await expect(refusal('0.2.0')).resolves.toContain('complete it: git reset --hard v0.2.0\n');
    git('reset', '--quiet', '--hard', 'v0.2.0');
    await expect(refusal('0.2.0')).resolves.toContain('0.2.0 is released: v0.2.0 is commit');
  });

  it('is made by one process at a time', async () => {
    const second = join(repository.home, 'second');
    await make('0.2.0', {
      program: '/bin/sh',
      words: ['-c', '"$@" > "$0"', second, process.execPath, ...script('0.3.0')],
    });
    expect(readFileSync(second, 'utf8')).toBe(`Process ${process.pid} is making a release here already.\n`);
  });

  it('is made in a clone', async () => {
    await expect(release('0.2.0', { checkout: repository.home })).rejects.toThrow(
      'A release is made in a clone of the repository',
    );
    await expect(release('0.2.0', { checkout: join(repository.directory, 'docs') })).rejects.toThrow(
      'A release is made in a clone of the repository',
    );
  });
});
