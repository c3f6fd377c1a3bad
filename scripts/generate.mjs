// npm run generate                docs/openapi.json, docs/protocol.md and what --client generates
// node scripts/generate.mjs --client   what the build needs: the Prisma client with the types of rows,
//                                      and the types of the routes for libs/client
// node scripts/generate.mjs --check    fails when a generated document is not what the built api would write
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from '../launcher/prepare/build.mjs';
import { routeTypes } from './route-types.mjs';
import { CHECKOUT } from '../launcher/host/checkout.mjs';
import { explain } from '../launcher/text/sentence.mjs';

const ROUTES = 'libs/client/src/generated/openapi.ts';

function generateDatabaseClient() {
  runProgram(['node_modules/prisma/build/index.js', 'generate'], {
    // Generating needs no schema engine, but the CLI would try to download one first; migrations never run this way.
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
}

/** The types of every route, from docs/openapi.json. */
async function generateRoutes() {
  const types = await routeTypes(readFileSync(join(CHECKOUT, 'docs/openapi.json'), 'utf8'));
  mkdirSync(dirname(join(CHECKOUT, ROUTES)), { recursive: true });
  writeFileSync(join(CHECKOUT, ROUTES), types);
}

/**
 * @param {string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 */
function runProgram(words, env = {}) {
  const { status } = spawnSync(process.execPath, words, {
    cwd: CHECKOUT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${words[0]} failed`);
}

/**
 * The documents that come from contracts and routes, by path.
 * @returns {Record<string, string>}
 */
function documents() {
  const { openApiText, protocolText } = createRequire(import.meta.url)(join(CHECKOUT, 'apps/api/dist/generate.js'));
  return { 'docs/openapi.json': openApiText(), 'docs/protocol.md': protocolText() };
}

function staleDocuments() {
  return Object.entries(documents())
    .filter(([path, text]) => readText(join(CHECKOUT, path)) !== text)
    .map(([path]) => path);
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

try {
  const mode = process.argv[2] ?? '';
  if (mode === '--check') {
    const stale = staleDocuments();
    if (stale.length > 0)
      throw new Error(
        `${stale.join(' and ')} ${stale.length > 1 ? 'are' : 'is'} not current: run npm run generate and commit.`,
      );
  } else {
    generateDatabaseClient();
    await generateRoutes();
    if (mode !== '--client') {
      await build();
      for (const [path, text] of Object.entries(documents())) writeFileSync(join(CHECKOUT, path), text);
      await generateRoutes();
    }
  }
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error && error.message ? error.message : explain(error)}\n`);
  process.exit(1);
}
