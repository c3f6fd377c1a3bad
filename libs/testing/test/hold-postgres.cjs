// Starts a server through the library, prints its directory and waits to be killed.
const { readFileSync, realpathSync } = require('node:fs');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const options = {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
    filename,
  };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};

const { startTestPostgres } = require(join(realpathSync(__dirname), '..', 'src', 'postgres', 'test-postgres.ts'));

void startTestPostgres().then(({ url }) => {
  process.stdout.write(`${new URL(url).searchParams.get('host')}\n`);
  setInterval(() => undefined, 60_000);
});
