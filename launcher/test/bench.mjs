import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { CHECKOUT } from '../host/checkout.mjs';
import { becomeIdentity, decideIdentity } from '../host/identity.mjs';
import { prepareCheckout } from '../prepare/prepare.mjs';
import { findBubblewrap, findChromium, findRedis, programPath } from '../host/programs.mjs';
import { step } from '../text/progress.mjs';
import { chooseRuntime } from '../services/runtime.mjs';
import { explain } from '../text/sentence.mjs';

/**
 * Prepares like `npm test` and prints the figures as ratios to the bare program; `--quick` takes fewer rounds.
 * @param {string[]} words
 */
export async function main(words) {
  try {
    const identity = decideIdentity(CHECKOUT);
    await prepareCheckout();
    const chromium = await step('Redis, sandbox and browser found', async () => {
      await findRedis();
      await findBubblewrap();
      return findChromium();
    });
    const runtime = await chooseRuntime(identity);
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
