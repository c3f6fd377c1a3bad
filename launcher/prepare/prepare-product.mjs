import { CHECKOUT } from '../host/checkout.mjs';
import { decideIdentity } from '../host/identity.mjs';
import { findBubblewrap, findChromium, findRedis } from '../host/programs.mjs';
import { chooseRuntime } from '../services/runtime.mjs';
import { step } from '../text/progress.mjs';
import { prepareCheckout } from './prepare.mjs';

/**
 * What a script needs that runs the whole product beside a browser: everything is installed and built, and Redis, the
 * sandbox and Chromium are found or fetched. `chromium` is null where there is none and none could be fetched.
 * @returns {Promise<{ identity: import('../host/identity.mjs').Identity,
 * runtime: import('../services/runtime.mjs').Runtime, chromium: string | null }>}
 */
export async function prepareProduct() {
  const identity = decideIdentity(CHECKOUT);
  await prepareCheckout();
  const chromium = await step('Redis, sandbox and browser found', async () => {
    await findRedis();
    await findBubblewrap();
    return findChromium();
  });
  return { identity, chromium, runtime: await chooseRuntime(identity) };
}
