import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { trackedFiles } from '../launcher/structure/tracked-files.mjs';

const ROOT = join(__dirname, '..');
const DOCUMENTS = ['.', 'docs', 'docs/adr'].flatMap((directory) =>
  listed(directory).filter((path) => path.endsWith('.md')),
);
/** @type {(path: string) => string} */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** @param {string} directory */
function listed(directory) {
  return readdirSync(join(ROOT, directory), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(directory, name));
}

/**
 * Links to files of this repository, the path from its root.
 * @param {string} document
 */
function linksOf(document) {
  const targets = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => target.split('#'))
    .map(([path = '', anchor = '']) => ({
      path: path === '' ? document : relative(ROOT, join(ROOT, dirname(document), path)),
      anchor,
    }));
}

/**
 * Anchors as hosts of repositories make them from headings.
 * @param {string} document
 */
function anchorsOf(document) {
  const headings = [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    const links = DOCUMENTS.flatMap((document) => linksOf(document).map((link) => ({ document, ...link })));
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(links.filter(({ path, anchor }) => anchor !== '' && !anchorsOf(path).includes(anchor))).toEqual([]);
  });

  it('name files that exist, by their path or the end of it', () => {
    const tracked = trackedFiles();
    const named = DOCUMENTS.flatMap((document) =>
      [...read(document).matchAll(/`([\w@./-]+\.(?:tsx?|mjs|cjs|prisma|sql))`/g)].map(([, path = '']) => ({
        document,
        path,
      })),
    );
    expect(named.length).toBeGreaterThan(50);
    const isThere = (/** @type {string} */ path) =>
      path.includes('generated/') || tracked.some((file) => file === path || file.endsWith(`/${path}`));
    expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
  });

  it('are all in the index by reader, which the README links', () => {
    const indexed = linksOf('docs/README.md').map(({ path }) => path);
    const documents = [
      ...listed('docs'),
      ...listed('docs/adr'),
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'SECURITY.md',
    ];
    expect(documents.filter((path) => path !== 'docs/README.md' && !indexed.includes(path))).toEqual([]);
    expect(linksOf('README.md').map(({ path }) => path)).toContain('docs/README.md');
  });
});
