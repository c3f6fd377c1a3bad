import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** @param {string} file @returns {string[]} */
function affectedBy(file) {
  const nx = join(__dirname, '../node_modules/nx/dist/bin/nx.js');
  const words = ['show', 'projects', '--affected', `--files=${file}`, '--json'];
  const said = execFileSync(process.execPath, [nx, ...words], { cwd: join(__dirname, '..'), encoding: 'utf8' });
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
