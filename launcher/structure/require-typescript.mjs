import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(join(root, 'package.json'));

/**
 * Loads a TypeScript module of the repository from its source, for the scripts that run before a build.
 * @param {string} path
 */
export function requireTypescript(path) {
  if (!require.extensions['.ts']) {
    const { transformSync } = require('@swc/core');
    const { jsc, module: moduleKind } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
    require.extensions['.ts'] = (module, filename) => {
      const { code } = transformSync(readFileSync(filename, 'utf8'), {
        jsc,
        module: moduleKind,
        filename,
        swcrc: false,
        sourceMaps: 'inline',
      });
      if (compiles(module)) module._compile(code, filename);
    };
  }
  return require(resolve(root, path));
}

/**
 * Node's modules can, which its types do not say.
 * @param {object} loaded
 * @returns {loaded is { _compile: (code: string, filename: string) => void }}
 */
function compiles(loaded) {
  return '_compile' in loaded;
}
