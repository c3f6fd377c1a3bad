import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from '../host/checkout.mjs';
import { programPath } from '../host/programs.mjs';
import { prepareProduct } from '../prepare/prepare-product.mjs';
import { step } from '../text/progress.mjs';
import { explain, Sentence } from '../text/sentence.mjs';

/** Required, not named: Node takes a program below a package of ES modules for one, and knows no TypeScript there. */
const ENTRY = "require('./apps/web/e2e/screenshots/main.ts')";
const IMAGES = join(CHECKOUT, 'docs/images');

/**
 * Prepares like `npm test`, has the built product photographed by an ordinary user, and stores the pictures in
 * docs/images.
 */
export async function main() {
  const scratch = mkdtempSync(join(tmpdir(), 'chirality-images-'));
  try {
    const { identity, runtime, chromium } = await prepareProduct();
    if (chromium === null)
      throw new Sentence('No Chromium was found or could be fetched: install one (apt-get: chromium).');
    if (identity.foreign) chownSync(scratch, identity.uid, identity.gid);
    await step('Pictures taken', () => photograph({ runtime, identity, chromium, scratch }));
    mkdirSync(IMAGES, { recursive: true });
    for (const name of readdirSync(scratch).filter((file) => file.endsWith('.png')))
      copyFileSync(join(scratch, name), join(IMAGES, name));
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {{ runtime: import('../services/runtime.mjs').Runtime, identity: import('../host/identity.mjs').Identity,
 * chromium: string, scratch: string }} parts
 */
async function photograph({ runtime, identity, chromium, scratch }) {
  const child = spawn(runtime.node, ['-r', './apps/worker/test/register-typescript.cjs', '-e', ENTRY, scratch], {
    cwd: runtime.root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: programPath(), HOME: scratch, CHIRALITY_CHROMIUM: chromium },
    ...(identity.foreign ? { uid: identity.uid, gid: identity.gid } : {}),
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Sentence('The pictures could not be taken; what went wrong is printed above.');
}
