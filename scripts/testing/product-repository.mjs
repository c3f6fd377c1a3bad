import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { surfaceOf, surfaceText } from '../../launcher/protocol/surface.mjs';

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Chirality', version: '0.1.0', 'x-protocol-version': '1.0' },
  paths: {},
  components: { schemas: {} },
  'x-events': {},
};

/** @type {(value: object) => string} */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const NAMES = { '': 'chirality', 'apps/api': '@chirality/api', 'libs/domain': '@chirality/domain' };

/** The files of a small product at version 0.1.0 that a release reads and changes. */
const FILES = {
  '.gitignore': 'node_modules/\n',
  'package.json': json({ name: 'chirality', version: '0.1.0', dependencies: { zod: '0.1.0' } }),
  'apps/api/package.json':
    '{\n  "name": "@chirality/api",\n  "version": "0.1.0",\n  "nx": { "tags": ["scope:api"] }\n}\n',
  'libs/domain/package.json': json({ name: '@chirality/domain', version: '0.1.0' }),
  'package-lock.json': json({
    name: 'chirality',
    version: '0.1.0',
    packages: {
      ...Object.fromEntries(Object.entries(NAMES).map(([path, name]) => [path, { name, version: '0.1.0' }])),
      'node_modules/@chirality/api': { resolved: 'apps/api', link: true },
      'node_modules/zod': { version: '0.1.0' },
    },
  }),
  'docker-compose.yml':
    'x-api-image:\n  image: chirality-api:0.1.0\nservices:\n  worker:\n    image: chirality-worker:0.1.0\n  redis:\n    image: valkey/valkey:8.1-bookworm\n',
  'docs/openapi.json': json(OPENAPI),
  'docs/released/protocol.json': surfaceText(surfaceOf(OPENAPI)),
  'docs/upgrading.md': '# Upgrading\n\nBack up first.\n\n## Unreleased\n\nThere is nothing to do.\n',
  'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Teams.\n',
};

/**
 * A git repository of such a product on main, without anything of this machine's git configuration.
 * @param {Record<string, string>} [files]
 */
export function makeProductRepository(files = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'chi-')));
  const directory = join(home, 'checkout');
  const before = { ...process.env };
  Object.assign(process.env, { GIT_CONFIG_GLOBAL: join(home, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1' });
  writeFileSync(
    join(home, 'gitconfig'),
    '[user]\n  name = Ada\n  email = ada@example.com\n[init]\n  defaultBranch = main\n',
  );
  /** @param {string[]} words */
  const git = (...words) => {
    const { status, stdout, stderr } = spawnSync('git', words, { cwd: directory, encoding: 'utf8', env: process.env });
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  };
  /**
   * @param {string} path
   * @param {string} text
   */
  const write = (path, text) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  for (const [path, text] of Object.entries({ ...FILES, ...files })) write(path, text);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'feat: teams');
  return {
    home,
    directory,
    git,
    write,
    read: (/** @type {string} */ path) => readFileSync(join(directory, path), 'utf8'),
    /** All that a release may change: branches, tags, files, worktrees. */
    state: () => [
      git('for-each-ref'),
      git('symbolic-ref', '--quiet', '--short', 'HEAD'),
      git('status', '--porcelain'),
      git('worktree', 'list'),
    ],
    remove: () => {
      for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      rmSync(home, { recursive: true });
    },
  };
}
