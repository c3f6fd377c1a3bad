import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { becomeIdentity } from '../host/identity.mjs';
import { programPath } from '../host/programs.mjs';
import { prepareProduct } from '../prepare/prepare-product.mjs';
import { explain } from '../text/sentence.mjs';

/**
 * Prepares like `npm test` and prints the figures as ratios to the bare program; `--quick` takes fewer rounds.
 * @param {string[]} words
 */
export async function main(words) {
  try {
    const { identity, runtime, chromium } = await prepareProduct();
    process.env.PATH = programPath();
    if (chromium) process.env.CHIRALITY_CHROMIUM = chromium;
    becomeIdentity(identity, tmpdir());
    const child = spawn(
      runtime.node,
      ['-r', './apps/worker/test/register-typescript.cjs', 'apps/worker/bench/main.ts', ...words],
      { cwd: runtime.root, stdio: 'inherit' },
    );
    const [code] = await once(child, 'exit');
    process.exit(code ?? 1);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    process.exit(1);
  }
}
