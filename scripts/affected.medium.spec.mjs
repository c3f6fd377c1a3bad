import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const data = mkdtempSync(join(tmpdir(), 'chirality-nx-'));
afterAll(() => rmSync(data, { recursive: true }));

// A checkout of another owner is not written to, and git reads it where its configuration says so.
const environment = {
  ...process.env,
  NX_WORKSPACE_DATA_DIRECTORY: data,
  NX_CACHE_DIRECTORY: data,
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: ROOT,
};

/** @param {string} file @returns {string[]} */
function affectedBy(file) {
  const nx = join(ROOT, 'node_modules/nx/dist/bin/nx.js');
  const words = ['show', 'projects', '--affected', `--files=${file}`, '--json'];
  const said = execFileSync(process.execPath, [nx, ...words], { cwd: ROOT, env: environment, encoding: 'utf8' });
  return /** @type {string[]} */ (JSON.parse(said)).map((name) => name.replace('@chirality/', ''));
}

// What is generated is not in git, so nx knows of it only by what it is generated from.
it.each([
  ['prisma/schema.prisma', ['database', 'api', 'worker']],
  ['scripts/row-types.mjs', ['database', 'api', 'worker']],
  ['docs/openapi.json', ['web', 'api']],
  ['docs/protocol.md', ['api']],
  ['instructions/agents/AGENT_BUG_HUNTER.md', ['domain', 'database', 'api', 'worker', 'web']],
  ['.env.example', ['platform', 'api', 'worker']],
])('a change of %s is checked where its content counts', (file, projects) => {
  expect(affectedBy(file)).toEqual(expect.arrayContaining(projects));
});
