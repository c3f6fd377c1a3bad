// npm run generate              the Prisma client, docs/openapi.json and docs/protocol.md
// node scripts/generate.mjs --client   the Prisma client alone, which the build needs
// node scripts/generate.mjs --check    fails when a generated document is not what the built api would write
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from '../launcher/prepare/build.mjs';
import { CHECKOUT } from '../launcher/host/checkout.mjs';
import { explain } from '../launcher/text/sentence.mjs';

function generateClient() {
  const { status } = spawnSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
    cwd: CHECKOUT,
    stdio: ['ignore', 'ignore', 'inherit'],
    // Generating needs no schema engine, but the CLI would try to download one first; migrations never run this way.
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  if (status !== 0) throw new Error('prisma generate failed');
}

/** The documents that come from contracts and routes, by path. */
function documents() {
  const { openApiText, protocolText } = createRequire(import.meta.url)(join(CHECKOUT, 'apps/api/dist/generate.js'));
  return { 'docs/openapi.json': openApiText(), 'docs/protocol.md': protocolText() };
}

function staleDocuments() {
  return Object.entries(documents())
    .filter(([path, text]) => readText(join(CHECKOUT, path)) !== text)
    .map(([path]) => path);
}

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
    generateClient();
    if (mode !== '--client') {
      await build();
      for (const [path, text] of Object.entries(documents())) writeFileSync(join(CHECKOUT, path), text);
    }
  }
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error && error.message ? error.message : explain(error)}\n`);
  process.exit(1);
}
