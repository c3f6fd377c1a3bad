import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../host/checkout.mjs';
import {
  compareVersions,
  isEmpty,
  isVersion,
  moveUnreleased,
  unreleasedNotes,
  versionedPaths,
  withVersion,
} from './release-texts.mjs';

/** @type {(path: string) => string} */
const read = (path) => readFileSync(join(CHECKOUT, path), 'utf8');

describe('versions', () => {
  // The order of the specification's own example, and one step of each number.
  const ORDER = [
    '0.9.10',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '2.0.0',
    '10.0.0',
  ];

  it('are ordered as Semantic Versioning says', () => {
    expect(ORDER.every(isVersion)).toBe(true);
    expect(ORDER.toReversed().toSorted(compareVersions)).toEqual(ORDER);
    expect(ORDER.map((version) => compareVersions(version, version))).toEqual(ORDER.map(() => 0));
  });

  it('are not what only looks like one', () => {
    for (const text of [
      '',
      '1',
      '1.2',
      '1.2.3.4',
      'v1.2.3',
      '1.02.3',
      '1.2.3-',
      '1.2.3-01',
      '1.2.3+5',
      ' 1.2.3',
      '1.2.3\n',
      '1.2.x',
    ])
      expect([text, isVersion(text)]).toEqual([text, false]);
  });
});

describe('unreleased notes', () => {
  it('end at the next release', () => {
    expect(unreleasedNotes('# C\n\n## [Unreleased]\n\n### Added\n- A\n\n## [0.1.0] - 2026-01-01\n- B\n')).toBe(
      '### Added\n- A',
    );
    expect(unreleasedNotes('## Unreleased\n')).toBe('');
    expect(unreleasedNotes('# C\n\nUnreleased\n### Unreleased\n')).toBeNull();
  });

  it('are empty where only headings and comments stand', () => {
    expect(['', '### Added\n\n### Fixed', '<!-- what\nchanged -->', '### Added\n- A'].map(isEmpty)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('move below a heading of their release, whatever characters it has', () => {
    expect(moveUnreleased('## Unreleased\n\nNote.\n', "0.2.0 $& $'")).toBe(
      "## Unreleased\n\n## 0.2.0 $& $'\n\nNote.\n",
    );
  });
});

describe('the files of this product', () => {
  const paths = versionedPaths(read('package-lock.json'));

  it('have one version', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(paths).toEqual(
      expect.arrayContaining([
        'package.json',
        'apps/api/package.json',
        'libs/contracts/package.json',
        'docs/openapi.json',
      ]),
    );
    expect(paths.filter((path) => withVersion(path, read(path), version) !== read(path))).toEqual([]);
  });

  it('differ in lines of the version alone when it changes', () => {
    for (const path of paths) {
      const before = read(path).split('\n');
      const after = withVersion(path, read(path), '98.7.6-rc.5').split('\n');
      const changed = after.filter((line, index) => line !== before[index]);
      expect([path, after.length]).toEqual([path, before.length]);
      expect([
        path,
        changed.length > 0,
        changed.filter((line) => !/^\s*("version": "|image: chirality-\w+:)98\.7\.6-rc\.5("?,?)$/.test(line)),
      ]).toEqual([path, true, []]);
    }
  });

  it('that say it nowhere are an error', () => {
    expect(() => withVersion('docker-compose.yml', 'services: {}\n', '1.0.0')).toThrow(
      'docker-compose.yml does not say the version',
    );
    expect(() => withVersion('apps/api/package.json', '{}', '1.0.0')).toThrow(
      'apps/api/package.json does not say the version',
    );
  });

  it('have a section for what is unreleased', () => {
    expect(['CHANGELOG.md', 'docs/upgrading.md'].filter((path) => unreleasedNotes(read(path)) === null)).toEqual([]);
  });
});
