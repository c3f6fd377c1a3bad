// Lets a process or thread that a test starts (`node -r`, `execArgv`) load the sources as they are, without a build.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const root = join(__dirname, '..', '..', '..');
const options = {
  ...JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8')),
  exclude: [],
  sourceMaps: 'inline',
  configFile: false,
  swcrc: false,
};

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveSource(request, ...rest) {
  const name = /^@chirality\/([a-z-]+)$/.exec(request)?.[1];
  return resolve.call(this, name ? join(root, 'libs', name, 'src', 'index.ts') : request, ...rest);
};
Module._extensions['.ts'] = function loadTypeScript(module, filename) {
  module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
};
// Packages that are ES modules only, for a Node whose require() cannot load them.
const loadJavaScript = Module._extensions['.js'];
Module._extensions['.js'] = function loadMaybeModule(module, filename) {
  try {
    loadJavaScript(module, filename);
  } catch (error) {
    if (error?.code !== 'ERR_REQUIRE_ESM') throw error;
    module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
  }
};
