import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, hashOf } from '../host/checkout.mjs';
import { run, tail } from '../host/run.mjs';
import { Sentence } from '../text/sentence.mjs';

const STAMPS = join(CHECKOUT, '.build');
const GENERATED = ['libs/database/src/generated', 'libs/client/src/generated'];

/**
 * Generates the Prisma client and the browser's types of the routes when what they come from changed, or they are
 * missing.
 */
export function generate() {
  return onlyWhenChanged(
    'generated',
    [
      'prisma/schema.prisma',
      'docs/openapi.json',
      'scripts/generate.mjs',
      'scripts/row-types.mjs',
      'scripts/route-types.mjs',
      'package-lock.json',
    ],
    GENERATED,
    async () => {
      const { code, output } = await run(process.execPath, ['scripts/generate.mjs', '--client'], { cwd: CHECKOUT });
      if (code !== 0)
        throw new Sentence(`The database client and the routes’ types could not be generated:\n${tail(output)}`);
    },
  );
}

/** Builds every project when a source changed or an output is missing. */
export function build() {
  const outputs = ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(CHECKOUT, group)).map((name) => join(group, name, 'dist')),
  );
  const sources = [
    'apps',
    'libs',
    'prisma/schema.prisma',
    'package-lock.json',
    '.swcrc',
    'nx.json',
    'tsconfig.base.json',
  ];
  return onlyWhenChanged('built', sources, outputs, async () => {
    const { code, output } = await run(
      process.execPath,
      ['node_modules/nx/dist/bin/nx.js', 'run-many', '-t', 'build', '--output-style=stream'],
      {
        cwd: CHECKOUT,
        env: { ...process.env, NX_TUI: 'false', NX_DAEMON: 'false', CI: '1', NO_COLOR: '1', FORCE_COLOR: '0' },
      },
    );
    if (code !== 0) throw new Sentence(`The build failed:\n${tail(output, 25)}`);
  });
}

/**
 * @param {string} name
 * @param {string[]} inputs
 * @param {string[]} outputs
 * @param {() => Promise<void>} act
 * @returns {Promise<'unchanged' | 'done'>}
 */
async function onlyWhenChanged(name, inputs, outputs, act) {
  const stamp = join(STAMPS, name);
  const isTest = (/** @type {string} */ path) =>
    /\.(spec|e2e-spec)\.tsx?$/.test(path) ||
    GENERATED.some((folder) => path.includes(`${folder}/`)) ||
    path.includes('/e2e/');
  const hash = hashOf(inputs, { skip: isTest });
  if (outputs.every((output) => existsSync(join(CHECKOUT, output))) && readStamp(stamp) === hash) return 'unchanged';
  await act();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stamp, hash);
  return 'done';
}

/** @param {string} path */
function readStamp(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
